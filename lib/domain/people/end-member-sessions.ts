import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { readMember } from '../memberships/read-member.ts';
import { endLogins } from '../sessions/end-logins.ts';
import { toResource } from '../store/row.ts';

/**
 * Ends every session of a member in this project, those too that nobody lists any more and sign-ins that are half done. The caller's own
 * are no exception. Other projects of the same person do not notice.
 */
export async function endMemberSessions(ctx: Ctx, projectId: string, membershipId: string): Promise<{ ended: number }> {
  requireProjectAdmin(ctx, projectId);
  const member = await readMember(ctx, projectId, membershipId);
  const { user } = toResource<ProjectMembership>(member);
  return write(ctx, async (w) => {
    const ended = await endLogins(w, { projectId, membershipId: member.id });
    w.audit({ projectId, action: 'login.revoke', target: user.reference ?? '', before: { sessions: ended } });
    return { ended };
  });
}
