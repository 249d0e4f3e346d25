import { AppError } from '#lib/base/errors.ts';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { PROOF_SECONDS } from '#lib/protocol/proof/proof.ts';
import { type Actor, callerOf } from '../access/context.ts';
import { findLogin } from '../sessions/find-login.ts';
import { lastProof } from './last-proof.ts';

/**
 * That a person who does what is hard to take back has shown lately who they are: whoever finds a desk unlocked, or has stolen a session, has
 * not. A sign-in is such a proof, and POST /auth/proof another. Programs, bots and directories prove themselves with each request. Throws 403,
 * which says for how long a proof is good as RFC 9470 §3 has it; not 401, by which the peer's client would drop its session (contract §1.1).
 */
export async function requireProof(actor: Actor | undefined, q: Queryable = db()): Promise<void> {
  if (!actor || actor.askedBefore) return;
  const { user, loginId, projectId } = callerOf(actor);
  if (!user.startsWith('User/')) return;
  // Their proof was for what they do themselves, and not for whatever somebody's code makes of it.
  if (actor.byBot)
    throw new AppError('forbidden', 'A bot that runs as its caller does nothing for which they must show who they are');
  if (!loginId) return;
  const login = await findLogin({ projectId, id: loginId }, q);
  if (login && isProven(lastProof(login))) return;
  throw new AppError('unproven', 'Show again who you are: this needs a proof that is no older than ten minutes', {
    maxAgeSeconds: PROOF_SECONDS,
  });
}

export function isProven(at: Date): boolean {
  return Date.now() - at.getTime() < PROOF_SECONDS * 1000;
}
