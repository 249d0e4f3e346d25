import { eq } from 'drizzle-orm';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { login } from '#lib/infra/db/schema/identity.ts';
import type { Ctx } from '../access/context.ts';
import { loginKey } from '../access/session-keys.ts';
import { write } from '../audit/write.ts';

/** Ends a login and every token made from it, at once. */
export async function revokeLogin(
  ctx: Ctx,
  row: { id: string; userRef: string; projectId: string | null },
): Promise<void> {
  await write(ctx, async (w) => {
    await w.tx.update(login).set({ revoked: true, refreshSealed: null }).where(eq(login.id, row.id));
    w.invalidate(loginKey(row.id));
    w.audit({ projectId: row.projectId ?? SERVER_SCOPE, action: 'login.revoke', target: row.userRef });
  });
}
