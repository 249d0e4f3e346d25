import { sql } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { isAnyUuidOf } from '#lib/infra/db/text-array.ts';
import { toInstant } from '#lib/infra/db/to-instant.ts';
import type { Me, OwnSession } from '#lib/protocol/answers/me.ts';
import type { Project, Resource, Stored } from '#lib/protocol/fhir/types.ts';
import { REQUIRE_POLICY } from '#lib/protocol/policies/policy-required.ts';
import { type Actor, type Ctx, requireActor } from '../access/context.ts';
import { openGrantOf } from '../access/glass.ts';
import { hasAll } from '../access/has-all.ts';
import { mayReach, reach } from '../access/policy.ts';
import { findRow, requireLive } from '../store/find-row.ts';
import { type Row, toResource, toWire } from '../store/row.ts';
import { visibleRow } from '../store/visible-row.ts';
import { isWithin } from '../store/within-reach.ts';
import { describeAgent } from './describe-agent.ts';
import { effectivePolicy } from './effective-policy.ts';
import { isLiveInAnyOf } from './live-login.ts';
import { projectsOfUser } from './projects-of-user.ts';

const MOST = 200;

/** The body of GET /auth/me (contract §1.5): what the caller is, and may do. */
export async function readMe(ctx: Ctx): Promise<Me> {
  const actor = requireActor(ctx);
  const [profileType = '', profileId = ''] = actor.profile.split('/');
  const isPerson = actor.user.startsWith('User/') && !actor.caller && !actor.byBot && !actor.policy.scope;
  const [projectRow, profileRow, sessions, mfaEnrolled] = await Promise.all([
    findRow(actor.projectId, 'Project', actor.projectId),
    findRow(actor.projectId, profileType, profileId),
    isPerson ? findSessions(actor) : undefined,
    isPerson ? hasFactor(actor.user.slice('User/'.length)) : false,
  ]);
  const project = toResource<Stored<Project>>(requireLive(projectRow));
  const { id, name, description, strictMode, superAdmin, features } = project;
  return {
    project: {
      ...{ resourceType: 'Project', id, name, description, strictMode, superAdmin, features },
      ...(actor.requiresPolicy && { setting: [{ name: REQUIRE_POLICY, valueBoolean: true }] }),
    },
    membership: {
      resourceType: 'ProjectMembership',
      id: actor.membershipId,
      user: { reference: actor.user },
      profile: { reference: actor.profile, display: actor.profileDisplay },
      admin: actor.admin,
    },
    profile: profileRow && !profileRow.deleted ? await shownProfile(actor, profileRow) : undefined,
    config: { resourceType: 'UserConfiguration' },
    accessPolicy: effectivePolicy(actor),
    ...(!hasAll(actor) && { limited: true }),
    ...(actor.view && { view: toldView(actor) }),
    ...(sessions ? { security: { mfaEnrolled, sessions }, ...glassOf(actor) } : {}),
  };
}

function toldView({ view, caller }: Actor): Me['view'] {
  const by = { reference: caller?.profile ?? '', display: caller?.profileDisplay ?? null };
  return { by, endsAt: new Date(view?.endsAt ?? 0).toISOString() };
}

/** Nothing of it is asked of the database: the session knows. */
function glassOf(actor: Actor): Pick<Me, 'breakGlass'> {
  const { glass, glassMinutes } = actor;
  const id = openGrantOf(actor);
  if (glassMinutes === undefined && id === undefined) return {};
  const open = id && glass ? { open: { id, until: new Date(glass.until).toISOString() } } : {};
  return { breakGlass: { may: glassMinutes !== undefined, minutes: glassMinutes ?? null, ...open } };
}

/** Whether a second factor is asked for when they sign in. */
async function hasFactor(userId: string): Promise<boolean> {
  const found = await db().execute(
    sql`select from factor where user_id = ${userId} and enrolled_at is not null limit 1`,
  );
  return found.length > 0;
}

/** To a login with scopes for resources only as far as those go: that it is there, it knows from its token. */
async function shownProfile(actor: Actor, row: Row): Promise<Resource> {
  const { type, id } = row;
  const isShown =
    !actor.policy.scope || (mayReach(actor, type, 'read') && (await isWithin(reach(actor, type, 'read'), row)));
  return isShown ? (JSON.parse(toWire(await visibleRow(actor, row), true)) as Resource) : { resourceType: type, id };
}

type Found = {
  id: string;
  last_used_at: string;
  auth_method: string;
  auth_time: string;
  remote_address: string | null;
  user_agent: string | null;
  device_id: string | null;
};

/** All that may still be used, in every project, the last used first; at most 200. */
async function findSessions(actor: Actor): Promise<OwnSession[]> {
  const projects = [...new Set([actor.projectId, ...(await projectsOfUser(db(), actor.user))])];
  const rows = await db().execute<Found>(sql`
    select l.id, l.last_used_at, l.auth_method, l.auth_time, l.remote_address, l.user_agent, l.device_id from login l
    where ${isAnyUuidOf(sql`l.project_id`, projects)} and l.user_ref = ${actor.user} and ${isLiveInAnyOf(projects)} order by l.last_used_at desc, l.id limit ${MOST}`);
  return rows.map((row) => ({
    id: row.id,
    lastUpdated: toInstant(row.last_used_at),
    authMethod: row.auth_method,
    startedAt: toInstant(row.auth_time),
    remoteAddress: row.remote_address,
    ...describeAgent(row.user_agent),
    ...(row.device_id && { device: row.device_id }),
    current: row.id === actor.loginId,
  }));
}
