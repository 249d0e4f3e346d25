import { type SQL, sql } from 'drizzle-orm';
import { type Queryable, runSql } from '#lib/infra/db/client.ts';
import type { SearchParam } from '#lib/protocol/fhir/index/search-params.ts';
import type { Expr } from '#lib/protocol/fhir/search/ir.ts';
import { isSelective } from '../compile-filter.ts';
import { areMany } from '../is-frequent.ts';
import { matching } from '../search-rows.ts';
import { idReferred, references } from './referred.ts';

/** Resources at the other end of a link: of one type, within the filter (the caller's reach in it), and `also`. */
export type OtherEnd = { projectId: string; type: string; filter: Expr; also?: SQL };

/**
 * `targets`: of more it is dearer to look for what refers to each than to look at each that refers. `sources`: rows whose references are read. `tokens`:
 * of so few the planner knows how many rows have them. Beyond, rows are asked one by one, with the same result; a test lowers them to see that.
 */
export const linkBounds = { targets: 1000, sources: 2000, tokens: 16 };

/** The ids of the resources at the other end; undefined when there are too many. One statement. */
export async function findTargets(q: Queryable, end: OtherEnd): Promise<string[] | undefined> {
  const rows = sql`select r.id from resource r where ${whereOf(end)} limit ${linkBounds.targets + 1}`;
  const ids = await asked(q, end, sql`array_to_string(array(${rows}), ',')`, sql``);
  return ids && ids.length <= linkBounds.targets ? ids : undefined;
}

/** The ids of this type to which resources at the other end refer by the parameter; undefined when those are too many. One statement. */
export async function findReferred(
  q: Queryable,
  end: OtherEnd,
  param: SearchParam,
  type: string,
): Promise<string[] | undefined> {
  const ids = sql`(select string_agg(distinct ${idReferred(type)}, ',') from ${references(param)})`;
  const rows = sql`select ${ids} as ids from resource r where ${whereOf(end)} limit ${linkBounds.sources + 1}`;
  const found = sql`, found as materialized (${rows})`;
  const all = sql`case when (select count(*) from found) <= ${linkBounds.sources} then coalesce((select string_agg(distinct f.ids, ',') from found f), '') end`;
  return asked(q, end, all, found);
}

/** Nothing is fetched where the words fit so many resources that even those would be too many. */
async function asked(q: Queryable, end: OtherEnd, ids: SQL, also: SQL): Promise<string[] | undefined> {
  const many = isSelective(end.filter) ? undefined : areMany(end.projectId, end.filter);
  const looked = sql`with look as materialized (select ${many ?? sql`false`} as many)`;
  const [row] = await runSql<{ ids: string | null }>(
    q,
    sql`${looked}${also} select case when not (select many from look) then ${ids} end as ids`,
  );
  if (typeof row?.ids !== 'string') return undefined;
  return row.ids === '' ? [] : [...new Set(row.ids.split(','))];
}

function whereOf({ projectId, type, filter, also }: OtherEnd): SQL {
  const where = matching({ projectId, type, correlated: isSelective(filter) }, filter);
  return sql`not (select many from look) and ${where}${also ? sql` and ${also}` : sql``}`;
}
