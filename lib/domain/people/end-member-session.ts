import { and, eq } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { login } from '#lib/infra/db/schema/identity.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { readMember } from '../memberships/read-member.ts';
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
  const [row] = await db()
    .select()
    .from(login)
    .where(
      and(
        eq(login.id, loginId),
        eq(login.projectId, projectId),
        eq(login.membershipId, member.id),
        eq(login.revoked, false),
      ),
    );
  if (!row) throw notFound();
  await revokeLogin(ctx, row);
}
