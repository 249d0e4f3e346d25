import { isDeepStrictEqual } from 'node:util';
import { AppError } from '#lib/base/errors.ts';
import { runText } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { MAX_ACCESS } from '#lib/protocol/fhir/identity/bounds.ts';
import type { AccessEntry, Project, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { namesPolicy, requiresPolicy } from '#lib/protocol/policies/policy-required.ts';
import type { Actor, Write } from '../access/context.ts';
import { entryName, floorOf } from '../access/entry-name.ts';
import { followRole } from '../memberships/default-access.ts';
import { guardAdmins } from '../memberships/guard-admins.ts';
import { requireOwnAccessKept } from '../memberships/own-access.ts';
import { requirePolicies, shareLight } from '../memberships/require-policies.ts';
import { saveMembership } from '../memberships/save-membership.ts';
import { lockRows } from '../store/find-row.ts';
import { type Row, toResource } from '../store/row.ts';
import { combine, type Given, type Wanted } from './combine.ts';
import { storeFloor } from './store-floor.ts';

export type Settling = { actor: Actor; project: Project; projectId: string; connectionId: string; force?: boolean };

/**
 * Brings what the groups of these members give now to their memberships, and takes away what they gave before; what was given by hand stays.
 * Three statements, however many members; one for each whose rights change, and one for its key. Under `lockAdmins`. Throws 409 for the
 * last administrator and for too many policies, 403 for who would give themselves more, 400 for a policy that is gone.
 */
export async function settleRights(w: Write, settling: Settling, membershipIds: readonly string[]): Promise<void> {
  const { projectId } = settling;
  const params = [projectId, toTextArray(membershipIds)];
  const sources = await runText<Source>(w.tx, SOURCES, params);
  const before = await runText<GivenRow>(w.tx, GIVEN, params);
  const concerned = [...new Set([...sources, ...before].map(({ id }) => id))].sort();
  if (concerned.length === 0) return;
  await requirePolicies(w.tx, projectId, { access: policiesIn(sources) });
  const [wantedBy, givenBy] = [Map.groupBy(sources, ({ id }) => id), Map.groupBy(before, ({ id }) => id)];
  const given: (Given & { id: string })[] = [];
  for (const row of await lockRows(w.tx, projectId, 'ProjectMembership', concerned)) {
    if (row.deleted) continue;
    const mine = wantedBy.get(row.id) ?? [];
    const next = await settleOne(w, settling, row, mine, givenBy.get(row.id) ?? []);
    given.push(...next.map((one) => ({ ...one, id: row.id })));
  }
  await runText(w.tx, FORGET, [projectId, toTextArray(concerned)]);
  if (given.length > 0) await runText(w.tx, NOTE, [projectId, JSON.stringify(given)]);
}

async function settleOne(
  w: Write,
  { actor, project, projectId, connectionId, force = false }: Settling,
  current: Row,
  sources: readonly Source[],
  before: readonly GivenRow[],
): Promise<Given[]> {
  const was = toResource<ProjectMembership>(current);
  const floor = floorOf(before[0]?.connection ?? connectionId);
  const { access, admin, given } = combine(was, toWanted(sources), before.map(toGiven), {
    floor,
    requiresPolicy: requiresPolicy(project),
  });
  const { access: _, admin: __, ...rest } = was;
  const after = { ...rest, ...(access.length > 0 && { access }), ...(admin && { admin }) };
  const next: ProjectMembership = { ...after, ...followRole(project, was, after) };
  if (isDeepStrictEqual(rightsOf(was), rightsOf(next))) return given;
  if (access.length > MAX_ACCESS) throw new AppError('conflict', `A member has at most ${MAX_ACCESS} policies`);
  await requireBorne(w, projectId, was, next);
  if (access.some((entry) => entryName(entry) === entryName(floor))) await storeFloor(w, actor, projectId, floor);
  requireOwnAccessKept(actor, was.user.reference);
  requireOthersWord(project, was, sources);
  await guardAdmins(w.tx, { actor, projectId, project, membershipId: current.id, before: was, after: next, force });
  await saveMembership(w, current, next, actor.profile);
  return given;
}

/** What groups give is no fault of who puts somebody into one. Throws 409. */
async function requireBorne(w: Write, projectId: string, was: ProjectMembership, next: ProjectMembership) {
  try {
    await shareLight(w.tx, projectId, next, was);
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid') throw new AppError('conflict', error.message);
    throw error;
  }
}

/** A limited administrator who maps a group cannot have their own directory put them into it. */
function requireOthersWord(project: Project, was: ProjectMembership, sources: readonly Source[]): void {
  const isLimited = namesPolicy(was) || requiresPolicy(project);
  if (!isLimited || !sources.some(({ mapped_by: by }) => by === was.user.reference)) return;
  throw new AppError('forbidden', 'What a group gives is not said by one of its members whom a policy limits');
}

type Source = { id: string; connection: string; access: AccessEntry[]; admin: boolean; mapped_by: string | null };
type GivenRow = { id: string; connection: string; access: string[]; admin: boolean };

function toWanted(sources: readonly Source[]): Wanted[] {
  return [...Map.groupBy(sources, ({ connection }) => connection)].map(([connectionId, all]) => ({
    connectionId,
    access: all.flatMap(({ access }) => access),
    admin: all.some(({ admin }) => admin),
  }));
}

function toGiven({ connection: connectionId, access, admin }: GivenRow): Given {
  return { connectionId, access, admin };
}

function policiesIn(sources: readonly Source[]): AccessEntry[] {
  const all = sources.flatMap(({ access }) => access);
  return [...new Map(all.map((entry) => [entry.policy.reference, { policy: entry.policy }])).values()];
}

function rightsOf({ access, accessPolicy, admin }: ProjectMembership): unknown {
  return [access ?? [], accessPolicy?.reference, admin === true];
}

const SOURCES = `select m.membership_id::text as id, g.connection_id::text as connection, g.access, g.admin, g.mapped_by
  from scim_group_member m
  join scim_group g on g.project_id = $1 and g.id = m.group_id and (g.admin or g.access <> '[]'::jsonb)
  join scim_connection c on c.project_id = $1 and c.id = g.connection_id
  where m.project_id = $1 and m.membership_id = any($2::text::uuid[])
  order by lower(g.display_name), g.id`;

const GIVEN = `select v.membership_id::text as id, v.connection_id::text as connection, v.access, v.admin
  from scim_given v join scim_connection c on c.project_id = $1 and c.id = v.connection_id
  where v.project_id = $1 and v.membership_id = any($2::text::uuid[])`;

const FORGET = 'delete from scim_given where project_id = $1 and membership_id = any($2::text::uuid[])';

const NOTE = `insert into scim_given (project_id, membership_id, connection_id, access, admin)
  select $1::uuid, r.id, r."connectionId", r.access, r.admin
  from jsonb_to_recordset($2::text::jsonb) as r(id uuid, "connectionId" uuid, access jsonb, admin boolean)`;
