import { and, desc, eq, gt } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { login } from '#lib/infra/db/schema/identity.ts';
import type { Me, OwnSession } from '#lib/protocol/answers/me.ts';
import type { Project, Resource, Stored } from '#lib/protocol/fhir/types.ts';
import { type Actor, type Ctx, requireActor } from '../access/context.ts';
import { findRow, requireLive } from '../store/find-row.ts';
import { toResource, toWire } from '../store/row.ts';
import { describeAgent } from './describe-agent.ts';
import { effectivePolicy } from './effective-policy.ts';

const SESSION_MS = 60 * 60_000;

/** The body of GET /auth/me (contract §1.5): what the caller is, and may do. */
export async function readMe(ctx: Ctx): Promise<Me> {
  const actor = requireActor(ctx);
  const [profileType = '', profileId = ''] = actor.profile.split('/');
  const [projectRow, profileRow, sessions] = await Promise.all([
    findRow(actor.projectId, 'Project', actor.projectId),
    findRow(actor.projectId, profileType, profileId),
    actor.user.startsWith('User/') && !actor.caller ? findSessions(actor) : undefined,
  ]);
  const project = toResource<Stored<Project>>(requireLive(projectRow));
  const { id, name, description, strictMode, superAdmin, features } = project;
  return {
    project: { resourceType: 'Project', id, name, description, strictMode, superAdmin, features },
    membership: {
      resourceType: 'ProjectMembership',
      id: actor.membershipId,
      user: { reference: actor.user },
      profile: { reference: actor.profile, display: actor.profileDisplay },
      admin: actor.admin,
    },
    profile: profileRow && !profileRow.deleted ? (JSON.parse(toWire(profileRow, true)) as Resource) : undefined,
    config: { resourceType: 'UserConfiguration' },
    accessPolicy: effectivePolicy(actor),
    ...(sessions ? { security: { mfaEnrolled: false, sessions } } : {}),
  };
}

async function findSessions(actor: Actor): Promise<OwnSession[]> {
  const rows = await db()
    .select()
    .from(login)
    .where(
      and(
        eq(login.userRef, actor.user),
        eq(login.granted, true),
        eq(login.revoked, false),
        gt(login.lastUsedAt, new Date(Date.now() - 24 * SESSION_MS)),
      ),
    )
    .orderBy(desc(login.lastUsedAt))
    .limit(50);
  return rows.map((row) => ({
    id: row.id,
    lastUpdated: row.lastUsedAt.toISOString(),
    authMethod: row.authMethod,
    remoteAddress: row.remoteAddress,
    ...describeAgent(row.userAgent),
    current: row.id === actor.loginId,
  }));
}
