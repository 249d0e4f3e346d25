import { sql } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { typeId, typeName } from '#lib/protocol/fhir/type-ids.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { fromRaw, type RawRow, type Row, toResource } from '../store/row.ts';
import { isOfRecord, patientsOf, recordTypes } from './compartment.ts';

/** A patient of a project. */
export type Whose = { projectId: string; patientId: string };
export type Place = readonly [type: number, id: string];

/** Of a page of a record. */
const PAGE = 200;

/** The next resources of a record as it stands, all of one type, in the order of type and id. */
export async function findPage(q: Queryable, { projectId, patientId }: Whose, after: Place): Promise<Place[]> {
  for (const type of recordTypes()) {
    const number = typeId(type);
    if (number < after[0]) continue;
    const from = number === after[0] ? after[1] : '';
    const rows = await q.execute<{ id: string }>(sql`
      with f as materialized (select r.id from resource r where ${isOfRecord({ projectId, patientId, type })})
      select f.id from f where f.id > ${from} order by f.id limit ${PAGE}`);
    if (rows.length > 0) return rows.map(({ id }): Place => [number, id]);
  }
  return [];
}

/**
 * Which of these are the patient's alone (`own`), and which are others' too (`shared`). A patient who was erased is nobody any more: what was about two
 * goes with the second. The patient is their own, also where they are linked to another.
 */
export async function splitRows(
  q: Queryable,
  { projectId, patientId }: Whose,
  rows: readonly Row[],
): Promise<{ own: Row[]; shared: Row[] }> {
  const others = new Map(rows.map((row) => [row, otherPatients(row, patientId)]));
  const gone = await findErased(q, projectId, new Set([...others.values()].flat()));
  const [own, shared]: [Row[], Row[]] = [[], []];
  for (const [row, ids] of others) (ids.every((id) => gone.has(id)) ? own : shared).push(row);
  return { own, shared };
}

function otherPatients(row: Row, patientId: string): string[] {
  if (row.type === 'Patient' && row.id === patientId) return [];
  return [...patientsOf(toResource<Resource>(row))].filter((id) => id !== patientId);
}

async function findErased(q: Queryable, projectId: string, ids: ReadonlySet<string>): Promise<Set<string>> {
  if (ids.size === 0) return new Set();
  const rows = await q.execute<{ id: string }>(sql`
    select id from resource where project_id = ${projectId}::uuid and type_id = ${typeId('Patient')}
      and id = any(${toTextArray([...ids])}::text[]) and deleted and meta is not null`);
  return new Set(rows.map(({ id }) => id));
}

/** Of a type, as they stand now. */
export async function findRows(q: Queryable, projectId: string, type: string, ids: readonly string[]): Promise<Row[]> {
  const raws = await q.execute<RawRow>(sql`
    select id, version, last_updated, deleted, author, meta::text as meta, content::text as content from resource
    where project_id = ${projectId}::uuid and type_id = ${typeId(type)}::smallint and id = any(${toTextArray(ids)}::text[]) order by id`);
  return raws.map((raw) => fromRaw(projectId, type, raw));
}

const GRAVES = 1000;

/** The next resources of these types that were deleted and not erased. */
export async function findGraves(
  q: Queryable,
  projectId: string,
  types: readonly string[],
  after: Place,
): Promise<Place[]> {
  const rows = await q.execute<{ type_id: number; id: string }>(sql`
    select r.type_id, r.id from resource r
    where r.project_id = ${projectId}::uuid and r.type_id = any(${toTextArray(types.map((type) => String(typeId(type))))}::smallint[])
      and r.deleted and r.meta is null and (r.type_id, r.id) > (${after[0]}::smallint, ${after[1]}::text)
    order by r.type_id, r.id limit ${GRAVES}`);
  return rows.map(({ type_id, id }): Place => [type_id, id]);
}

/** What deleted resources of a type were at last, where that names the patient. */
export async function findLastVersions(
  q: Queryable,
  { projectId, patientId }: Whose,
  type: number,
  ids: readonly string[],
): Promise<Row[]> {
  const raws = await q.execute<RawRow>(sql`
    select l.* from (
      select distinct on (h.id) h.id, h.version, h.last_updated, h.author, h.meta, h.content from resource_history h
      where h.project_id = ${projectId}::uuid and h.type_id = ${type}::smallint and h.id = any(${toTextArray(ids)}::text[]) and h.op <> 'delete'
      order by h.id, h.version desc) l
    where position(${patientId} in l.id || l.content) > 0`);
  return raws.map((raw) => fromRaw(projectId, typeName(type), raw));
}
