import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { endLogins } from './end-logins.ts';
import type { LoginKey } from './find-login.ts';

/** As R4's AuditEvent.outcome has it: something that was used twice may be in the hands of a thief. */
const SERIOUS = 8;

/** Ends a login and every token made from it, at once. `isReuse`: since something that counts once came again. */
export async function revokeLogin(
  ctx: Ctx,
  row: LoginKey & { userRef: string },
  { isReuse = false }: { isReuse?: boolean } = {},
): Promise<void> {
  await write(ctx, async (w) => {
    await endLogins(w, { projectId: row.projectId, loginId: row.id });
    w.audit({ projectId: row.projectId, action: 'login.revoke', target: row.userRef, outcome: isReuse ? SERIOUS : 0 });
  });
}
