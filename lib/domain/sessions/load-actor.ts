import { LRUCache } from 'lru-cache';
import { AppError } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { createLiveCache } from '#lib/infra/db/live-cache.ts';
import { isRehearsing } from '#lib/infra/db/rehearsing.ts';
import { readBotHosts } from '#lib/protocol/bots/allowed-hosts.ts';
import { RUN_CONTENTS } from '#lib/protocol/bots/runs/run-contents.ts';
import { type ClientBounds, readClientBounds } from '#lib/protocol/clients/bounds.ts';
import type { ClientApplication } from '#lib/protocol/fhir/client-types.ts';
import { type EntryDates, isInTime, toEntryDates } from '#lib/protocol/fhir/identity/membership-dates.ts';
import type { AccessPolicy, Project, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import type { LaunchContext } from '#lib/protocol/launch/context.ts';
import { requiresPolicy } from '#lib/protocol/policies/policy-required.ts';
import { readBounds } from '#lib/protocol/sign-in/bounds.ts';
import { UPDATE_CREATE } from '#lib/protocol/update-create.ts';
import { areTooLong, isTooHeavy, KEPT, keptOf, lengthOf } from '../access/access-weight.ts';
import { clientTag, membershipTag, policiesTag, projectTag } from '../access/cache-tags.ts';
import type { Actor } from '../access/context.ts';
import type { PolicySource } from '../access/entry-rules.ts';
import { liveGlassEntry, withoutGlassEntries } from '../access/glass.ts';
import { DEEPEST, lineageOf, missingOf } from '../access/lineage.ts';
import { mayGovern } from '../access/may-govern.ts';
import { policiesOf } from '../access/policies-of.ts';
import { compilePolicy, type Policy } from '../access/policy.ts';
import { findEach, findRow } from '../store/find-row.ts';
import { knowParams } from '../store/own-params/know-params.ts';
import { type FoundPolicy, findPolicies } from '../store/policies/find-policies.ts';
import { toResource } from '../store/row.ts';
import { glassMinutesOf } from './glass/glass-minutes.ts';
import { loadGlass } from './glass/load-glass.ts';
import type { LoadedActor } from './session-cache.ts';

export type MembershipOf = {
  projectId: string;
  membershipId: string;
  loginId?: string;
  clientId?: string;
  scope: string;
  launch?: LaunchContext | null;
  /** The person themselves, at their own session: what they have in an emergency is theirs alone. */
  inPerson?: true;
};

/** Of a membership, whoever has signed in to it, by the same client. */
type Base = { actor: Actor; dates: EntryDates; opened?: Pick<Actor, 'policy' | 'glass'> };

const bases = createLiveCache<Base>(20_000, { most: KEPT, sizeOf: ({ actor }) => keptOf(actor.policy) });

/**
 * The actor of a membership as it stands now: the project, the role and the compiled policy; without a query when a login of it was just
 * loaded. Throws 401 when either is gone, inactive or out of its time.
 */
export async function loadActor(of: MembershipOf): Promise<LoadedActor> {
  const { projectId, membershipId, loginId, clientId, scope, launch, inPerson } = of;
  const tags: LoadedActor['tags'] = [membershipTag(membershipId), projectTag(projectId), policiesTag(projectId)];
  const app = isUuid(clientId) ? clientId : undefined;
  if (app) tags.push(clientTag(app));
  const { actor, dates, opened } = await bases.get(`${projectId}/${membershipId}/${app ?? ''}`, async () => {
    const value = await loadBase(projectId, membershipId, app);
    return { value, tags: [...tags, ...programTags(value.actor)] };
  });
  tags.push(...programTags(actor));
  if (!isInTime(dates)) throw inactive();
  const patient = launch ? { patient: `Patient/${launch.patient}` } : {};
  return { value: { ...actor, ...(inPerson && opened), loginId, clientId, scope, ...patient }, tags };
}

/** A client that is switched off has no rights any more, whoever asks with them. */
function programTags({ user }: Actor): string[] {
  const program = programOf(user);
  return program ? [clientTag(program)] : [];
}

function programOf(user: string | undefined): string | undefined {
  return user?.startsWith('ClientApplication/') ? user.slice('ClientApplication/'.length) : undefined;
}

async function loadBase(projectId: string, membershipId: string, app: string | undefined): Promise<Base> {
  const { membership: whole, membershipVersion, project, client, isOn } = await loadRows(projectId, membershipId, app);
  const membership = whole && withoutGlassEntries(whole);
  const dates = membership ? toEntryDates(membership) : {};
  // Before its policies: of one that is out of its time nothing else is told.
  if (membership?.active === false || !membership || !project || project.active === false || !isInTime(dates))
    throw inactive();
  const program = programOf(membership.user?.reference);
  if (program && !(program === app ? isOn : await isProgramOn(projectId, program))) throw inactive();
  const superAdmin = project.superAdmin === true;
  const params = await knowParams(projectId);
  const { policies, versions } = await loadPolicies(projectId, membership, `${projectId} ${params}`);
  const needsPolicy = requiresPolicy(project);
  const source = { projectId, membership, policies, superAdmin, requiresPolicy: needsPolicy };
  const policy = await sharedPolicy(
    [membershipId, membershipVersion, superAdmin, needsPolicy, params, ...versions].join(' '),
    source,
  );
  const actor: Actor = {
    projectId,
    projectName: project.name ?? '',
    membershipId,
    user: membership.user?.reference ?? '',
    profile: membership.profile?.reference ?? '',
    profileDisplay: membership.profile?.display,
    admin: superAdmin ? mayGovern(policy, membership.admin === true) : membership.admin === true,
    superAdmin,
    features: project.features ?? [],
    auditReads: isSet(project, 'auditReads'),
    keepsRuns: !isUnset(project, RUN_CONTENTS),
    updateCreate: isSet(project, UPDATE_CREATE),
    ...(project.checkReferencesOnWrite && { checksReferences: true as const }),
    ...(project.strictMode && { strict: true as const }),
    botHosts: readBotHosts(project.setting ?? []),
    bounds: readBounds(project.setting ?? []),
    mayHaveKeys: isSet(project, 'apiKeys'),
    policy,
    ...(needsPolicy && { requiresPolicy: true as const }),
    glassMinutes: glassMinutesOf(project, membership),
    ...(dates.until !== undefined && { until: dates.until }),
    loginId: undefined,
    clientId: undefined,
    ...(client && { client }),
    scope: '',
  };
  const entry = whole && liveGlassEntry(whole);
  const opened = entry && (await loadGlass({ projectId, membership, policy }, entry));
  return { actor, dates, ...(opened && { opened }) };
}

async function isProgramOn(projectId: string, clientId: string): Promise<boolean> {
  const row = await findRow(projectId, 'ClientApplication', clientId);
  return row !== undefined && !row.deleted && isActive(toResource<ClientApplication>(row));
}

function isActive({ status = 'active' }: ClientApplication): boolean {
  return status === 'active';
}

function inactive(): AppError {
  return new AppError('unauthorized', 'This membership is not active');
}

function isSet({ setting = [] }: Project, name: string): boolean {
  return setting.some((item) => item.name === name && item.valueBoolean === true);
}

function isUnset({ setting = [] }: Project, name: string): boolean {
  return setting.some((item) => item.name === name && item.valueBoolean === false);
}

const compiled = new LRUCache<string, Policy>({ max: 5000, maxSize: KEPT, sizeCalculation: keptOf });
/** Those that are being read: what takes long is not begun again by who comes meanwhile. */
const begun = new Map<string, Promise<Policy>>();

/** One for all sessions of a membership. `version` names everything that it is made of. */
function sharedPolicy(version: string, source: PolicySource): Policy | Promise<Policy> {
  // What a dry run has changed is nobody else's, and the next to have that version says something else.
  if (isRehearsing()) return compilePolicy(source);
  const known = compiled.get(version) ?? begun.get(version);
  if (known) return known;
  const policy = keep(version, source).finally(() => begun.delete(version));
  begun.set(version, policy);
  return policy;
}

async function keep(version: string, source: PolicySource): Promise<Policy> {
  const policy = await compilePolicy(source);
  compiled.set(version, policy);
  return policy;
}

type Rows = {
  membership?: ProjectMembership;
  membershipVersion?: number;
  project?: Project;
  client?: ClientBounds;
  /** Whether that client is there and active. */
  isOn: boolean;
};

/** With the client that they came in by, which is of the same project, unless it is built in. */
async function loadRows(projectId: string, membershipId: string, app: string | undefined): Promise<Rows> {
  const [membership, project, client] = await findEach(projectId, [
    ['ProjectMembership', membershipId],
    ['Project', projectId],
    ...(app ? [['ClientApplication', app] as const] : []),
  ]);
  return {
    membership: membership && toResource<ProjectMembership>(membership),
    membershipVersion: membership?.version,
    project: project && toResource<Project>(project),
    client: client && readClientBounds(toResource<ClientApplication>(client)),
    isOn: client !== undefined && isActive(toResource<ClientApplication>(client)),
  };
}

type Policies = { policies: Map<string, AccessPolicy>; versions: string[] };

/**
 * Those that it names, and all that these are based on. A dangling one ends the session, and so does what grew to more than a member may have (access-weight.ts), without saying which: an absent rule must
 * never read as an absent limit.
 */
async function loadPolicies(projectId: string, membership: ProjectMembership, place: string): Promise<Policies> {
  const references = policiesOf(membership);
  const policies = new Map<string, AccessPolicy>();
  const versions: string[] = [];
  let wanted = references;
  for (let level = 0; wanted.length > 0; level++) {
    if (level >= DEEPEST) throw broken();
    for await (const rows of findPolicies(projectId, wanted)) {
      for (const row of rows) {
        policies.set(`AccessPolicy/${row.id}`, oneForAll(row, place));
        versions.push(`${row.id}/${row.version}`);
      }
      if (areTooLong(policies) || isTooHeavy(membership, policies)) throw broken();
    }
    if (wanted.some((reference) => !policies.has(reference))) throw broken();
    wanted = missingOf(policies.values(), policies);
  }
  if (references.some((reference) => !lineageOf(reference, policies))) throw broken();
  return { policies, versions: versions.sort() };
}

function broken(): AppError {
  return new AppError('invalid', 'The access of this membership is broken; contact an administrator of the project');
}

const contents = new LRUCache<string, AccessPolicy>({ max: 5000, maxSize: KEPT, sizeCalculation: lengthOf });

/** One object for all members who have it, as long as it and what it asks by (`place`) are the same: what it says is read once (entry-rules.ts). */
function oneForAll({ id, version, content }: FoundPolicy, place: string): AccessPolicy {
  if (isRehearsing()) return content;
  const name = `${place} ${id}/${version}`;
  const known = contents.get(name) ?? content;
  contents.set(name, known);
  return known;
}
