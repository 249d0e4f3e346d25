import { db, type Queryable, runText } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { typeId, typeName } from '#lib/protocol/fhir/type-ids.ts';
import { findRow } from '../find-row.ts';
import { LIGHT_BYTES } from '../page-weight.ts';
import { fromRaw, type RawRow, type Row } from '../row.ts';
import { judgeable } from '../within-reach.ts';

/** A resource, and the newest of its versions that is known here. */
export type Known = { type: string; id: string; version: number };
type RawJudged = RawRow & { type_id: number; known: boolean; heavy: boolean };

/**
 * What a policy judges of each of these resources: it as it is now, and of one that is deleted what it was before. `known` where that is the very
 * version that the caller has. One that weighs much comes by itself, so that few are in memory at once; what is gone does not come at all.
 */
export async function* findJudged(
  projectId: string,
  resources: readonly Known[],
  q: Queryable = db(),
): AsyncGenerator<{ type: string; id: string; row: Row | 'known' }> {
  const raws = await runText<RawJudged>(q, JUDGED, [
    projectId,
    toTextArray(resources.map(({ type }) => String(typeId(type)))),
    toTextArray(resources.map(({ id }) => id)),
    toTextArray(resources.map(({ version }) => String(version))),
  ]);
  for (const raw of raws) {
    const { id, known, heavy } = raw;
    const type = typeName(raw.type_id);
    if (known) yield { type, id, row: 'known' };
    else if (!heavy) yield { type, id, row: fromRaw(projectId, type, raw) };
    else {
      const row = await findRow(projectId, type, id, q);
      if (row) yield { type, id, row: await judgeable(row, q) };
    }
  }
}

const STORED = 'coalesce(pg_column_size(r.content), pg_column_size(p.content), 0)';
const IS_SENT = `${STORED} < ${LIGHT_BYTES} and coalesce(p.version, r.version) <> k.v`;

/** $1 project, of each resource $2 type, $3 id, $4 version. */
const JUDGED = `
  select k.t as type_id, r.id, coalesce(p.version, r.version) as version, r.last_updated, r.author,
    coalesce(p.version, r.version) = k.v as known, ${STORED} >= ${LIGHT_BYTES} as heavy,
    case when ${IS_SENT} then coalesce(p.meta, r.meta::text) end as meta, case when ${IS_SENT} then coalesce(p.content, r.content::text) end as content
  from unnest($2::smallint[], $3::text[], $4::int[]) as k(t, i, v)
  join resource r on r.project_id = $1::uuid and r.type_id = k.t and r.id = k.i
  left join resource_history p on r.deleted and p.project_id = $1::uuid and p.type_id = k.t and p.id = k.i and p.version = r.version - 1`;
