import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import type { Party } from '#lib/protocol/answers/audit.ts';
import type { AccessAsOf, CouldRead } from '#lib/protocol/audit/access-as-of.ts';
import { isInTime, toEntryDates } from '#lib/protocol/fhir/identity/membership-dates.ts';
import { relatedIn } from '#lib/protocol/fhir/search/ir.ts';
import { isResourceType } from '#lib/protocol/fhir/type-ids.ts';
import type { AccessPolicy, Project, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import type { AccessAsOfQuery } from '#lib/protocol/requests/audit.ts';
import { type Ctx, requireProjectAdmin } from '../../access/context.ts';
import { policiesOf } from '../../access/policies-of.ts';
import { compilePolicy, mayReach, reach } from '../../access/policy.ts';
import { type Names, named, resolveNames } from '../../audit/resolve-names.ts';
import { knowParams } from '../../store/own-params/know-params.ts';
import { type Row, toResource } from '../../store/row.ts';
import { isWithin } from '../../store/within-reach.ts';
import { didRead } from './did-read.ts';
import { type AsOf, membershipsAfter, versionsAsOf } from './versions-as-of.ts';

/**
 * Who could read a record at an instant, by the memberships and policies as they were then and the evaluator of today, and who did as far as
 * reads were kept. What a login's scopes took away besides is not looked at. Memberships come page by page. For administrators.
 */
export async function accessAsOf(ctx: Ctx, projectId: string, query: AccessAsOfQuery): Promise<AccessAsOf> {
  requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  const { at, from, cursor, _count: count } = query;
  const [type = '', id = ''] = query.resource.split('/');
  const [[record], [project], found] = await Promise.all([
    isResourceType(type) ? versionsAsOf(projectId, type, [id], at) : [],
    versionsAsOf(projectId, 'Project', [projectId], at),
    membershipsAfter(projectId, cursor, count + 1),
  ]);
  const state = record?.state ?? 'absent';
  const settings = project?.row && !project.row.deleted ? toResource<Project>(project.row) : undefined;
  const page = state === 'present' ? found.slice(0, count) : [];
  const members = await membersOf(projectId, { ids: page, at, record: record?.row, settings });
  const keepsReads = settings?.setting?.some(({ name, valueBoolean }) => name === 'auditReads' && valueBoolean);
  const names = await resolveNames(
    projectId,
    members.flatMap((member) => [member.profile, member.user, ...member.policies]),
  );
  return {
    ...{ resource: query.resource, at: at.toISOString(), from: from.toISOString(), state },
    version: record?.row ? String(record.row.version) : null,
    looked: page.length,
    members: members.map((member) => toAnswer(member, names)),
    next: page.length > 0 && found.length > count ? page.at(-1)! : null,
    reads: keepsReads && cursor === undefined ? await didRead(projectId, { type, id, from, at }) : null,
  };
}

type Member = Omit<CouldRead, 'profile' | 'user' | 'policies'> & {
  profile?: string;
  user?: string;
  policies: string[];
};

type Then = { ids: string[]; at: Date; record: Row | undefined; settings: Project | undefined };

async function membersOf(projectId: string, { ids, at, record, settings }: Then): Promise<Member[]> {
  if (!record || settings?.active === false) return [];
  const memberships = await versionsAsOf(projectId, 'ProjectMembership', ids, at);
  const wanted = memberships.flatMap(({ row, state }) =>
    row && state === 'present' ? policiesOf(toResource<ProjectMembership>(row)) : [],
  );
  const policies = await policiesAsOf(projectId, [...new Set(wanted)], at);
  const superAdmin = settings?.superAdmin === true;
  await knowParams(projectId);
  const judged = await Promise.all(
    memberships.map((membership) => judge({ projectId, at, membership, policies, superAdmin, record })),
  );
  return judged.flat();
}

async function policiesAsOf(projectId: string, references: string[], at: Date): Promise<Map<string, AsOf>> {
  const ids = references.map((reference) => reference.slice('AccessPolicy/'.length));
  const found = await versionsAsOf(projectId, 'AccessPolicy', ids, at);
  return new Map(found.map((policy) => [`AccessPolicy/${policy.id}`, policy]));
}

type Case = {
  projectId: string;
  at: Date;
  membership: AsOf;
  policies: Map<string, AsOf>;
  superAdmin: boolean;
  record: Row;
};

/** None for who could not. */
async function judge({
  projectId,
  at,
  membership: { id, state, row },
  policies,
  superAdmin,
  record,
}: Case): Promise<Member[]> {
  const unknown = { membership: `ProjectMembership/${id}`, admin: false, access: 'unknown' as const, policies: [] };
  if (state === 'unknown') return [unknown];
  if (!row || state !== 'present') return [];
  const membership = toResource<ProjectMembership>(row);
  if (membership.active === false || !isInTime(toEntryDates(membership), at.getTime())) return [];
  const references = policiesOf(membership);
  const member = {
    ...{ ...unknown, profile: membership.profile?.reference, user: membership.user?.reference, policies: references },
    admin: membership.admin === true || superAdmin,
  };
  const states = references.map((reference) => policies.get(reference)?.state);
  if (states.includes('unknown')) return [member];
  // A policy that is not there ends the session: it gives nothing, and neither do the others.
  if (states.some((each) => each !== 'present')) return [];
  const rules = new Map(
    references.map((reference) => [reference, toResource<AccessPolicy>(policies.get(reference)!.row!)]),
  );
  const actor = { policy: compilePolicy({ projectId, membership, policies: rules, superAdmin, at: at.getTime() }) };
  if (!mayReach(actor, record.type, 'read')) return [];
  const within = reach(actor, record.type, 'read');
  // What the others were by then is not looked up.
  if (relatedIn(within).length > 0) return [member];
  return (await isWithin(within, record)) ? [{ ...member, access: 'read' }] : [];
}

function toAnswer({ profile, user, policies, ...member }: Member, names: Names): CouldRead {
  const party = (reference: string | undefined): Party => named(names, reference) ?? { reference: null, display: null };
  return { ...member, profile: party(profile), user: party(user), policies: policies.map(party) };
}
