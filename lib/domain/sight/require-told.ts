import { AppError } from '#lib/base/errors.ts';
import { type Actor, type Ctx, requireProjectAdmin } from '../access/context.ts';
import { mayReach, reach } from '../access/policy.ts';

/**
 * Who is asked what somebody may do tells of memberships, and of policies with their rules: for administrators who see every one of both, which a
 * super-admin with a policy may not. Throws 403.
 */
export function requireTold(ctx: Ctx, projectId: string): Actor {
  const actor = requireProjectAdmin(ctx, projectId);
  for (const type of ['ProjectMembership', 'AccessPolicy']) {
    if (!mayReach(actor, type, 'read') || reach(actor, type, 'read').op !== 'all')
      throw new AppError('forbidden', `Access is told to who sees every ${type} of the project`);
  }
  return actor;
}
