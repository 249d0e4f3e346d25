import { db } from '#lib/infra/db/client.ts';
import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import type { MemberSafety } from '#lib/protocol/safety/answers.ts';
import type { SafetyQuery } from '#lib/protocol/safety/requests.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { listAudit } from '../audit/list-audit.ts';
import { findFactors } from '../factors/find-factors.ts';
import { readMember } from '../memberships/read-member.ts';
import { listMemberSessions } from '../people/list-member-sessions.ts';
import { toResource } from '../store/row.ts';
import { findPasskeys } from '../webauthn/own-rows.ts';

const SHOWN = 20;

/**
 * What tells whether an account is in wrong hands: failed sign-ins and codes, sessions, what proves the person, and what was done in their name
 * since then, as this project's audit log has it. Throws 403, 404, and 410 for a removed member.
 */
export async function readMemberSafety(
  ctx: Ctx,
  projectId: string,
  membershipId: string,
  { since }: SafetyQuery,
): Promise<MemberSafety> {
  requireProjectAdmin(ctx, projectId);
  const member = toResource<ProjectMembership>(await readMember(ctx, projectId, membershipId));
  const [user, profile] = [member.user.reference ?? '', member.profile.reference ?? ''];
  const userId = user.startsWith('User/') ? user.slice('User/'.length) : undefined;
  const page = { from: since, _count: SHOWN };
  const [failures, acts, sessions, factors, passkeys] = await Promise.all([
    listAudit(ctx, projectId, { ...page, target: [user], action: 'login.failed,user.factor.failed' }),
    listAudit(ctx, projectId, { ...page, actor: profile }),
    listMemberSessions(ctx, projectId, membershipId),
    userId ? findFactors(db(), userId) : [],
    userId ? findPasskeys(db(), userId) : [],
  ]);
  return {
    locked: member.active === false,
    failures: failures.rows,
    acts: { rows: acts.rows, more: acts.next !== null },
    sessions: sessions.total,
    factors,
    passkeys: passkeys.length,
  };
}
