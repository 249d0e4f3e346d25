import { AppError } from '#lib/base/errors.ts';
import { type Actor, type Ctx, requireProjectAdmin } from '../access/context.ts';
import { requireAll } from '../access/has-all.ts';
import { throttle } from '../limits/throttle.ts';
import { requireProof } from './require-proof.ts';

const OFTEN = {
  limit: 200,
  windowSeconds: 3600,
  refusal: 'Two hundred runs and messages were revealed within the hour',
};

/**
 * Before what a bot was given is shown as it was (the caller says so in the audit log): to administrators whom no policy limits, in their own name, with a
 * proof. Throws 403, and 429 past two hundred of a member's in an hour.
 */
export async function requireReveal(ctx: Ctx, projectId: string): Promise<Actor> {
  const actor = requireProjectAdmin(ctx, projectId);
  if (actor.caller) throw new AppError('forbidden', 'It is revealed in one’s own name, on behalf of nobody');
  requireAll(actor, 'reveals what bots are given');
  await requireProof(actor);
  await throttle(`reveal-run:${actor.membershipId}`, OFTEN.limit, OFTEN);
  return actor;
}
