import { AppError } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { createLiveCache } from '#lib/infra/db/live-cache.ts';
import type { MemberViewRow } from '#lib/infra/db/schema/members/member-view.ts';
import { viewTag } from '../../access/cache-tags.ts';
import type { Actor } from '../../access/context.ts';
import { withoutGlass } from '../../access/glass.ts';
import { viewPolicy } from '../../access/view-policy.ts';
import { findView, type ViewKey } from '../../views/view-rows.ts';
import { actorOfLogin } from '../actor-of-login.ts';
import { loadActor } from '../load-actor.ts';
import { cachedActor } from '../session-cache.ts';

const views = createLiveCache<MemberViewRow | undefined>(1000);

/**
 * An administrator with a member's eyes, as both stand now: the member, with what the administrator may read, too, and `caller` for who it is. All that
 * ends the session of one or the membership of either ends the view. Throws 401.
 */
export async function actorOfView({ projectId, id }: ViewKey, { quiet = false } = {}): Promise<Actor> {
  if (!isUuid(id) || !isUuid(projectId)) throw invalid();
  const view = await views.get(`${projectId}/${id}`, async () => ({
    value: await findView({ projectId, id }),
    tags: [viewTag(id)],
  }));
  // That its time has come nobody tells, so it is looked at each time.
  if (!view || view.endedAt || view.endsAt.getTime() <= Date.now()) throw invalid();
  // What either has in an emergency is for their own session, where the log says so.
  const caller = withoutGlass(await actorOfLogin({ projectId, id: view.loginId }, { quiet }));
  if (!mayView(caller) || caller.membershipId !== view.viewerId) throw invalid();
  const member = await loadMember(projectId, view.membershipId);
  if (member.user !== view.userRef) throw invalid();
  const policy = viewPolicy(member.policy, caller.policy);
  const { loginId, clientId } = caller;
  const here = { loginId, clientId, scope: '', caller, view: { id, endsAt: view.endsAt.getTime() } };
  return { ...member, ...here, policy, admin: false, superAdmin: false, auditReads: true, mayHaveKeys: false };
}

/** Whether they administer their own project, and no other. */
export function mayView({ admin, superAdmin, policy, caller, byBot, user }: Actor): boolean {
  return admin && !superAdmin && !policy.scope && !caller && !byBot && user.startsWith('User/');
}

/** As for who acts on their behalf. Throws 401 for a member who is not one just now, or whose access is broken. */
async function loadMember(projectId: string, membershipId: string): Promise<Actor> {
  try {
    return await cachedActor(`member:${membershipId}`, () => loadActor({ projectId, membershipId, scope: '' }));
  } catch (error) {
    throw error instanceof AppError && error.code === 'invalid' ? invalid() : error;
  }
}

function invalid(): AppError {
  return new AppError('unauthorized', 'This view has ended');
}
