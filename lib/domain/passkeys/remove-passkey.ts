import { AppError, notFound } from '#lib/base/errors.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';
import { type Actor, type Ctx, requireActor, type Write } from '../access/context.ts';
import { hasPassword } from '../accounts/has-password.ts';
import { write } from '../audit/write.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { requirePasskeyShown } from '../sign-in/require-factor-shown.ts';
import { findRow } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';
import { requireWayIn } from '../ways/require-way-in.ts';
import { deletePasskey, lockPasskeys } from '../webauthn/own-rows.ts';
import { requireOwnAccount } from './require-own-account.ts';
import { tellPasskey } from './tell-passkey.ts';

/** Takes it out, and mails the person. Throws 403, 404 for one that is not the caller's, and 409 for their only way in, or
 * into the project that is open, which they administer. */
export async function removePasskey(ctx: Ctx, passkeyId: string): Promise<void> {
  const { user, login } = await requireOwnAccount(ctx);
  await requirePasskeyShown(login);
  await write(ctx, async (w) => {
    await requireProof(w.actor, w.tx);
    const known = await lockPasskeys(w, user.id);
    const row = known.find(({ id }) => id === passkeyId.toLowerCase());
    if (!row) throw notFound();
    if (known.length === 1 && !(await hasPassword(w.tx, user.id))) {
      const text = 'This is your only way in: set a password first, by “Forgot it?” on the sign-in page';
      throw new AppError('conflict', text);
    }
    await deletePasskey(w, row);
    if (known.length === 1) await requireOtherWay(w, requireActor(ctx));
    await tellPasskey(w, user, 'removed', row);
  });
}

/** A project may want its administrators by passkey alone. */
async function requireOtherWay(w: Write, actor: Actor): Promise<void> {
  if (!actor.admin) return;
  const { projectId } = actor;
  const row = await findRow(projectId, 'Project', projectId, w.tx);
  if (row) await requireWayIn(w.tx, actor, { projectId, setting: toResource<Project>(row).setting ?? [] });
}
