import type { UpdateEmailRequest } from '#lib/protocol/requests/user-operations.ts';
import { type Ctx, requireActor, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { findRow, requireLive } from '../store/find-row.ts';
import type { Row } from '../store/row.ts';
import { changeAddress } from './change-address.ts';
import { findManagedUser, lockUser } from './lock-user.ts';

/**
 * `User/:id/$update-email` (contract §2.7): another address to sign in with, for a project's own User by its administrators, for any by
 * a super-admin. It counts as proven only once a link that goes to it was used. Links that went to the old address die, and the old
 * address is told. Throws 404 for whom the caller does not decide about, and 409 for an address that is taken, not saying by whom.
 */
export async function updateEmail(ctx: Ctx, userId: string, input: UpdateEmailRequest): Promise<Row> {
  const actor = requireProjectAdmin(ctx, requireActor(ctx).projectId);
  const found = await findManagedUser(actor, userId);
  const { email } = input;
  if (found.email === email) return requireLive(await findRow(found.scope, 'User', userId));
  return write(ctx, async (w) => {
    await requireProof(actor, w.tx);
    const locked = await lockUser(w.tx, found, [found.email, email]);
    return changeAddress(w, actor, locked, { email, profiles: input.updateProfileTelecom, tellOld: true });
  });
}
