import { env } from '#lib/base/env.ts';
import { db } from '#lib/infra/db/client.ts';
import type { OwnErasure, WaitingChange } from '#lib/protocol/account-changes/answers.ts';
import type { ErasureRequest } from '#lib/protocol/own-account/requests.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { findWaiting, toWaiting } from '../account-changes/change-rows.ts';
import { write } from '../audit/write.ts';
import { requireOwnAccount } from '../passkeys/require-own-account.ts';
import { findErasurePlaces } from '../people/erasure-places.ts';
import { requestErasure, throttleErasure, toConfirm } from '../people/request-erasure.ts';
import { requireProof } from '../proofs/require-proof.ts';

/** GET /auth/erasure: what would end with the caller's account, and what stands against it. Throws 403 for who has not signed in themselves. */
export async function readOwnErasure(ctx: Ctx): Promise<OwnErasure> {
  const { user } = await requireOwnAccount(ctx);
  const places = await findErasurePlaces(db(), user.id);
  const waiting = (await findWaiting(db(), user.id)).find(({ kind }) => kind === 'erase');
  return {
    confirm: toConfirm(user),
    waitDays: env().ERASURE_WAIT_DAYS,
    projects: places.map(({ projectId, projectName, membershipId, against }) => ({
      membership: membershipId,
      project: { reference: `Project/${projectId}`, display: projectName },
      ...(against && { against: against.text }),
    })),
    waiting: waiting ? toWaiting(waiting) : null,
  };
}

/** POST /auth/erasure: the caller's own account is erased once it has waited. With a proof. Throws 403, and as `requestErasure`. */
export async function requestOwnErasure(ctx: Ctx, input: ErasureRequest): Promise<WaitingChange> {
  const { user } = await requireOwnAccount(ctx);
  await requireProof(requireActor(ctx));
  await throttleErasure(user.id);
  return write(ctx, async (w) => toWaiting(await requestErasure(w, user, input, { askedBy: `User/${user.id}` })));
}
