import { db, type Queryable, runText } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { foldString } from '#lib/protocol/fhir/index/normalize.ts';
import type { Filter } from '#lib/protocol/fhir/terminology/value-set.ts';

/** Which concepts of a system are asked for. `text`: what code or display contains. */
export type Wanted = { projectId: string; systemId: string; filters: Filter[]; codes?: string[]; text?: string };
export type Place = { offset: number; count: number };
type Raw = { code: string; display: string | null };

/** In the order of the system. */
export function findConcepts(wanted: Wanted, { offset, count }: Place, q: Queryable = db()): Promise<Raw[]> {
  const text = `select c.code, c.display ${WANTED} order by c.at limit $6::int offset $7::int`;
  return runText<Raw>(q, text, [...paramsOf(wanted), count, offset]);
}

export async function countConcepts(wanted: Wanted, q: Queryable = db()): Promise<number> {
  const [row] = await runText<{ n: number }>(q, `select count(*)::int as n ${WANTED}`, paramsOf(wanted));
  return row?.n ?? 0;
}

function paramsOf({ projectId, systemId, filters, codes, text }: Wanted): unknown[] {
  const like = text ? `%${foldString(text).replace(/[\\%_]/g, '\\$&')}%` : null;
  return [projectId, systemId, JSON.stringify(filters), codes ? toTextArray(codes) : null, like];
}

const HAS = `exists (select 1 from jsonb_array_elements(c.rest->'property') as x(e) where e->>'code' = f.p and coalesce(e->>'valueCode',
  e->>'valueString', e->>'valueInteger', e->>'valueBoolean', e->>'valueDecimal', e->>'valueDateTime', e->'valueCoding'->>'code') = any(f.v))`;
const HAS_CHILD = `exists (select 1 from concept d where d.project_id = c.project_id and d.system_id = c.system_id and d.code = any(f.v)
  and c.code = any(d.parents))`;
const IS = `case when f.p in ('code', 'concept') then c.code = any(f.v) when f.p = 'display' then c.display = any(f.v)
  when f.p = 'parent' then c.parents && f.v when f.p = 'child' then ${HAS_CHILD} else ${HAS} end`;
const IS_A = '(c.code = f.v[1] or f.v[1] = any(c.ancestors))';
const WANTED = `from concept c where c.project_id = $1::uuid and c.system_id = $2
  and ($4::text[] is null or c.code = any($4::text[])) and ($5::text is null or c.sought like $5)
  and not exists (select 1 from jsonb_to_recordset($3::text::jsonb) as f(p text, op text, v text[]) where not coalesce(case f.op
    when 'is-a' then ${IS_A} when 'is-not-a' then not ${IS_A} when 'descendent-of' then f.v[1] = any(c.ancestors)
    when 'not-in' then not (${IS}) else ${IS} end, false))`;
