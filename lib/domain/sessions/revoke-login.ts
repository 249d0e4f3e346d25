import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { endLogins } from './end-logins.ts';
import type { LoginKey } from './find-login.ts';

/** Ends a login and every token made from it, at once. */
export async function revokeLogin(ctx: Ctx, row: LoginKey & { userRef: string }): Promise<void> {
  await write(ctx, async (w) => {
    await endLogins(w, { projectId: row.projectId, loginId: row.id });
    w.audit({ projectId: row.projectId, action: 'login.revoke', target: row.userRef });
  });
}
