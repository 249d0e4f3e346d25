import { sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { AppError } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { isAnyOf } from '#lib/infra/db/text-array.ts';
import { type ClientBounds, readClientBounds } from '#lib/protocol/clients/bounds.ts';
import { isInTime, toEntryDates } from '#lib/protocol/fhir/identity/membership-dates.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { AccessPolicy, ClientApplication, Project, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import type { LaunchContext } from '#lib/protocol/launch/context.ts';
import { readBounds } from '#lib/protocol/sign-in/bounds.ts';
import { membershipTag, policiesTag, projectTag } from '../access/cache-tags.ts';
import type { Actor } from '../access/context.ts';
import { policiesOf } from '../access/policies-of.ts';
import { compilePolicy, type Policy, type PolicySource } from '../access/policy.ts';
import { findEach } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';
import type { LoadedActor } from './session-cache.ts';

export type MembershipOf = {
  projectId: string;
  membershipId: string;
  loginId?: string;
  clientId?: string;
  scope: string;
  launch?: LaunchContext | null;
};

/** The actor of a membership as it stands now: the project, the role and the compiled policy. Throws 401 when either is gone, inactive or out of its time. */
export async function loadActor(of: MembershipOf): Promise<LoadedActor> {
  const { membership, membershipVersion, project, client } = await loadRows(of);
  const dates = membership ? toEntryDates(membership) : {};
  if (membership?.active === false || !membership || !project || project.active === false || !isInTime(dates)) {
    throw new AppError('unauthorized', 'This membership is not active');
  }
  const superAdmin = project.superAdmin === true;
  const { policies, versions } = await loadPolicies(of.projectId, membership);
  const source = { projectId: of.projectId, membership, policies, superAdmin };
  const actor: Actor = {
    projectId: of.projectId,
    projectName: project.name ?? '',
    membershipId: of.membershipId,
    user: membership.user?.reference ?? '',
    profile: membership.profile?.reference ?? '',
    profileDisplay: membership.profile?.display,
    admin: membership.admin === true || superAdmin,
    superAdmin,
    features: project.features ?? [],
    auditReads: isSet(project, 'auditReads'),
    bounds: readBounds(project.setting ?? []),
    mayHaveKeys: isSet(project, 'apiKeys'),
    policy: sharedPolicy([of.membershipId, membershipVersion, superAdmin, ...versions].join(' '), source),
    ...(dates.until !== undefined && { until: dates.until }),
    loginId: of.loginId,
    clientId: of.clientId,
    ...(client && { client }),
    scope: of.scope,
    ...(of.launch && { patient: `Patient/${of.launch.patient}` }),
  };
  return {
    value: actor,
    tags: [membershipTag(of.membershipId), projectTag(of.projectId), policiesTag(of.projectId)],
  };
}

function isSet({ setting = [] }: Project, name: string): boolean {
  return setting.some((item) => item.name === name && item.valueBoolean === true);
}

const compiled = new LRUCache<string, Policy>({ max: 5000 });

/** One for all sessions of a membership. `version` names everything that it is made of. */
function sharedPolicy(version: string, source: PolicySource): Policy {
  const known = compiled.get(version);
  if (known) return known;
  const policy = compilePolicy(source);
  compiled.set(version, policy);
  return policy;
}

type Rows = { membership?: ProjectMembership; membershipVersion?: number; project?: Project; client?: ClientBounds };

/** With the client that they came in by, which is of the same project, unless it is built in. */
async function loadRows({ projectId, membershipId, clientId }: MembershipOf): Promise<Rows> {
  const [membership, project, client] = await findEach(projectId, [
    ['ProjectMembership', membershipId],
    ['Project', projectId],
    ...(isUuid(clientId) ? [['ClientApplication', clientId] as const] : []),
  ]);
  return {
    membership: membership && toResource<ProjectMembership>(membership),
    membershipVersion: membership?.version,
    project: project && toResource<Project>(project),
    client: client && readClientBounds(toResource<ClientApplication>(client)),
  };
}

type Policies = Pick<PolicySource, 'policies'> & { versions: string[] };

/** A dangling policy ends the session, without saying which: an absent rule must never read as an absent limit. */
async function loadPolicies(projectId: string, membership: ProjectMembership): Promise<Policies> {
  const references = policiesOf(membership);
  if (references.length === 0) return { policies: new Map(), versions: [] };
  const ids = references.map((reference) => reference.slice('AccessPolicy/'.length));
  const rows = await db().execute<{ id: string; version: number; content: AccessPolicy }>(sql`
    select id, version, content from resource
    where project_id = ${projectId} and type_id = ${typeId('AccessPolicy')} and not deleted and ${isAnyOf(sql`id`, ids)}`);
  if (rows.length < references.length) {
    throw new AppError('invalid', 'The access of this membership is broken; contact an administrator of the project');
  }
  return {
    policies: new Map(rows.map((row) => [`AccessPolicy/${row.id}`, row.content])),
    versions: rows.map((row) => `${row.id}/${row.version}`).sort(),
  };
}
