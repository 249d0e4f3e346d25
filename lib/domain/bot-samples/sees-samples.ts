import { AppError } from '#lib/base/errors.ts';
import { type Actor, type Ctx, requireActor, requireProjectAdmin } from '../access/context.ts';
import { hasAll } from '../access/has-all.ts';

/**
 * Whether they may know what samples say: as they were given to a bot, with all that a policy hides. As of a run that is revealed, that is for
 * administrators whom no policy limits; whoever acts for such a one has to be one, too.
 */
export function seesSamples(ctx: Ctx): boolean {
  const actor = requireActor(ctx);
  return actor.admin && hasAll(actor);
}

/** Throws 403. */
export function requireSampleSight(ctx: Ctx, projectId: string): Actor {
  const actor = requireProjectAdmin(ctx, projectId);
  if (seesSamples(ctx)) return actor;
  const text = 'A policy limits you to a part of the project; who has all of it sees and changes samples';
  throw new AppError('forbidden', text);
}
