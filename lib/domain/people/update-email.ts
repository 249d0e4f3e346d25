import type { ChangeRow } from '#lib/infra/db/schema/account-change.ts';
import type { UpdateEmailRequest } from '#lib/protocol/requests/user-operations.ts';
import { type Ctx, requireActor, requireProjectAdmin } from '../access/context.ts';
import { requestChange } from '../account-changes/request-change.ts';
import { write } from '../audit/write.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { findRow, requireLive } from '../store/find-row.ts';
import type { Row } from '../store/row.ts';
import { changeAddress, requireFreeAddress } from './change-address.ts';
import { findRecoveryWait } from './find-recovery-wait.ts';
import { findManagedUser, lockUser } from './lock-user.ts';

/** The User as it stands now, and what waits, if something does. */
export type UpdatedEmail = { row: Row; waiting?: ChangeRow };

/**
 * `User/:id/$update-email` (contract §2.7): another address to sign in with, for a project's own User by its administrators, for any by
 * a super-admin. It counts as proven only once a link that goes to it was used. Links that went to the old address die, and the old
 * address is told. Where the project's setting `recoveryWait` says so, the change waits, and the old address can stop it; but of an account that nobody
 * has come to yet. Throws 404 for whom the caller does not decide about, and 409 for an address that is taken, not saying by whom, and while another waits.
 */
export async function updateEmail(ctx: Ctx, userId: string, input: UpdateEmailRequest): Promise<UpdatedEmail> {
  const actor = requireProjectAdmin(ctx, requireActor(ctx).projectId);
  const found = await findManagedUser(actor, userId);
  const { email, updateProfileTelecom: profiles } = input;
  if (found.email === email) return { row: requireLive(await findRow(found.scope, 'User', userId)) };
  return write(ctx, async (w) => {
    await requireProof(actor, w.tx);
    const locked = await lockUser(w.tx, found, [found.email, email]);
    const { waitMs, projectName } = await findRecoveryWait(w.tx, { ...locked.user, scope: found.scope });
    if (waitMs === 0) return { row: await changeAddress(w, actor, locked, { email, profiles, tellOld: true }) };
    await requireFreeAddress(w, locked, email);
    const of = { projectId: found.scope, projectName };
    const asked = {
      user: found,
      kind: 'address',
      detail: { email, profiles },
      waitMs,
      askedBy: actor.profile,
      of,
    } as const;
    return { row: locked.row, waiting: (await requestChange(w, asked)).row };
  });
}
