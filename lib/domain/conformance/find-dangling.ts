import type { Issue } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { db, type Queryable, runText } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { parseReference } from '#lib/protocol/fhir/references.ts';
import { isIdentityType, typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { expressionOf } from '#lib/protocol/fhir/validate/check-context.ts';
import type { Actor } from '../access/context.ts';
import { isUnlimited, mayReach, reach } from '../access/policy.ts';

const MAX_ISSUES = 50;
/** What is kept elsewhere than among the resources of a project, or may be. */
const ELSEWHERE = ['AuditEvent', 'User', 'Project'];

type Writer = Pick<Actor, 'projectId' | 'policy'>;
type Place = (string | number)[];
/** `version`: of a reference to one of the past, which was there if the resource has come so far. */
type Found = { type: string; id: string; version: string | undefined; at: Place };
/** `of`: which of the resources says so. */
type Named = Found & { of: number };

const FIND = `select r.type_id, r.id, r.version
  from unnest($2::smallint[], $3::text[]) as asked (type_id, id)
  join resource r on r.project_id = $1 and r.type_id = asked.type_id and r.id = asked.id and not r.deleted`;

/**
 * One issue for each reference to a resource of this server that the project does not have; one statement for all of them. What is contained,
 * a urn, or somebody else's address is left alone, as is all that a Bundle carries. Of types of which the writer does not see every record nothing is
 * asked: they would learn what is there, and who writes that a patient was seen by somebody need not be able to look that one up.
 */
export async function findDangling(
  writer: Writer,
  resource: Resource,
  { id, q = db() }: { id?: string; q?: Queryable } = {},
): Promise<Issue[]> {
  const own = id === undefined ? undefined : { type: resource.resourceType, id };
  return (await findAnyDangling(writer, [resource], q, { own })).map(({ issue }) => issue);
}

/** `of`: which of the resources refers to `target`, a `Type/id` that is not there. */
export type Dangling = { of: number; target: string; issue: Issue };

/** As findDangling, of several, up to `most` of each. `own` is there once it is written, and may refer to itself. */
export async function findAnyDangling(
  writer: Writer,
  resources: readonly Resource[],
  q: Queryable,
  { own, most = MAX_ISSUES }: { own?: { type: string; id: string }; most?: number } = {},
): Promise<Dangling[]> {
  const { projectId } = writer;
  const named: Named[] = [];
  const open = new Map<string, boolean>();
  const isOpen = (type: string) => {
    if (!open.has(type)) open.set(type, seesEvery(writer, type));
    return open.get(type) === true;
  };
  for (const [of, resource] of resources.entries()) {
    if (resource.resourceType === 'Bundle' || isIdentityType(resource.resourceType)) continue;
    collect(resource, [resource.resourceType], (found) => {
      if (isOpen(found.type) && (found.type !== own?.type || found.id !== own.id)) named.push({ ...found, of });
    });
  }
  if (named.length === 0) return [];
  const keys = new Map(named.map(({ type, id }) => [`${typeId(type)} ${id}`, { type, id }]));
  const asked = [...keys.values()];
  const types = `{${asked.map(({ type }) => typeId(type)).join(',')}}`;
  const params = [projectId, types, toTextArray(asked.map(({ id }) => id))];
  const rows = await runText<{ type_id: number; id: string; version: number }>(q, FIND, params);
  const found = new Map(rows.map((row) => [`${row.type_id} ${row.id}`, row.version]));
  const isThere = ({ type, id, version }: Found) => {
    const current = found.get(`${typeId(type)} ${id}`);
    return (
      current !== undefined && (version === undefined || (/^[1-9]\d{0,8}$/.test(version) && Number(version) <= current))
    );
  };
  const dangling = named.filter((each) => !isThere(each));
  const some = [...Map.groupBy(dangling, ({ of }) => of).values()].flatMap((its) => its.slice(0, most));
  return some.map(({ of, type, id, version, at }) => {
    // Of what is made first, its first version is it.
    const target = version === undefined || version === '1' ? `${type}/${id}` : `${type}/${id}/_history/${version}`;
    const text = `${target} does not exist in this project: create it first, or refer to another`;
    return { of, target, issue: { text, code: 'not-found', expression: expressionOf(at) } };
  });
}

/** A Binary is hidden by what it belongs to, too. */
function seesEvery(writer: Writer, type: string): boolean {
  if (type === 'Binary') return isUnlimited(writer.policy);
  return mayReach(writer, type, 'read') && reach(writer, type, 'read').op === 'all';
}

/** Every `reference` that is one, with its place. The resource is sound, and so not nested without end. */
function collect(value: object, at: Place, tell: (found: Found) => void): void {
  for (const [key, each] of Object.entries(value)) {
    const place = [...at, Array.isArray(value) ? Number(key) : key];
    if (key === 'reference' && typeof each === 'string') {
      const parsed = parseReference(each, fhirBase());
      if (parsed?.kind === 'local' && !ELSEWHERE.includes(parsed.type))
        tell({ type: parsed.type, id: parsed.id, version: parsed.version, at: place });
    } else if (typeof each === 'object' && each !== null) collect(each, place, tell);
  }
}
