import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { readMember } from '../memberships/read-member.ts';
import { findLogin } from '../sessions/find-login.ts';
import { revokeLogin } from '../sessions/revoke-login.ts';

/**
 * Ends one session of a member: its tokens answer 401 from the commit on, in every process. One of another member or project, and one
 * that has ended, is a 404 like none.
 */
export async function endMemberSession(
  ctx: Ctx,
  projectId: string,
  membershipId: string,
  loginId: string,
): Promise<void> {
  requireProjectAdmin(ctx, projectId);
  const member = await readMember(ctx, projectId, membershipId);
  if (!isUuid(loginId)) throw notFound();
  const row = await findLogin({ projectId, id: loginId });
  if (row?.membershipId !== member.id || row.revoked) throw notFound();
  await revokeLogin(ctx, row);
}
