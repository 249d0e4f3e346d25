import { SERVER_SCOPE } from '#lib/base/ids.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { endLogins } from './end-logins.ts';

/** Ends a login and every token made from it, at once. */
export async function revokeLogin(
  ctx: Ctx,
  row: { id: string; userRef: string; projectId: string | null },
): Promise<void> {
  await write(ctx, async (w) => {
    await endLogins(w, { loginId: row.id });
    w.audit({ projectId: row.projectId ?? SERVER_SCOPE, action: 'login.revoke', target: row.userRef });
  });
}
