import { sql } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { fromRaw, type RawRow, type Row } from '../../store/row.ts';

/** A resource at an instant. `unknown`: what it was then is kept no longer. */
export type AsOf = { id: string; state: 'present' | 'deleted' | 'absent' | 'unknown'; row: Row | undefined };

type Raw = { wanted: string; earliest: number | null } & { [K in keyof RawRow]: RawRow[K] | null };

/** Each of these resources of a type as it was then, in their order. */
export async function versionsAsOf(projectId: string, type: string, ids: readonly string[], at: Date): Promise<AsOf[]> {
  if (ids.length === 0) return [];
  const raws = await db().execute<Raw>(sql`
    select w.id as wanted, v.*, (
      select min(f.version) from resource_history f where f.project_id = ${projectId} and f.type_id = ${typeId(type)} and f.id = w.id) as earliest
    from unnest(${toTextArray(ids)}::text[]) with ordinality as w(id, n)
    left join lateral (
      select h.id, h.version, h.op = 'delete' as deleted, h.last_updated, h.author, h.meta, h.content from resource_history h
      where h.project_id = ${projectId} and h.type_id = ${typeId(type)} and h.id = w.id and h.last_updated <= ${at.toISOString()}::timestamptz
      order by h.version desc limit 1) as v on true
    order by w.n`);
  return raws.map((raw) => toAsOf(projectId, type, raw));
}

function toAsOf(projectId: string, type: string, raw: Raw): AsOf {
  const { wanted: id, earliest } = raw;
  // What was before the first version that is kept is not known.
  if (raw.id === null) return { id, state: earliest !== null && earliest > 1 ? 'unknown' : 'absent', row: undefined };
  const row = fromRaw(projectId, type, raw as RawRow);
  return { id, state: row.deleted ? 'deleted' : 'present', row };
}

/** The ids of all memberships that the project ever had and that are kept, so many after this one. */
export async function membershipsAfter(projectId: string, after: string | undefined, limit: number): Promise<string[]> {
  const rows = await db().execute<{ id: string }>(sql`
    select distinct h.id from resource_history h
    where h.project_id = ${projectId} and h.type_id = ${typeId('ProjectMembership')} and h.id > ${after ?? ''} order by h.id limit ${limit}`);
  return rows.map(({ id }) => id);
}
