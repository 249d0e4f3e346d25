import { type SQL, sql } from 'drizzle-orm';
import { type Queryable, runSql } from '#lib/infra/db/client.ts';
import type { SearchParam } from '#lib/protocol/fhir/index/search-params.ts';
import type { Expr } from '#lib/protocol/fhir/search/ir.ts';
import { compileFilter, isSelective } from '../compile-filter.ts';
import { inProject, ofType } from '../planner/in-project.ts';
import { areMany } from '../planner/is-frequent.ts';
import { matching } from '../search-rows.ts';
import type { Such } from './compile-link.ts';
import { type Name, names, type Published } from './named.ts';
import { readId, referencesAll } from './referred.ts';

/** Resources at the other end of a link: of one type, within the filter (the caller's reach in it), and `also`. */
export type OtherEnd = { projectId: string; type: string; filter: Expr; also?: SQL };

/**
 * `targets`: of more it is dearer to look for what refers to each than to look at each that refers. `sources`: rows whose references are read; `names`: canonicals in them. `tokens`:
 * of so few the planner knows how many rows have them. Beyond, rows are asked one by one, with the same result; a test lowers them to see that.
 */
export const linkBounds = { targets: 1000, sources: 2000, names: 10_000, tokens: 16 };

/** Of a row that its key has found: no other index is asked for it. */
export function such({ projectId, type, filter, also }: OtherEnd): Such {
  const fits = compileFilter({ projectId, type, correlated: true, walked: true }, filter);
  return { projectId, type, fits: also ? sql`${fits} and ${also}` : fits };
}

/** The ids of the resources at the other end; undefined when there are too many. One statement. */
export async function findTargets(q: Queryable, end: OtherEnd): Promise<string[] | undefined> {
  const rows = sql`select r.id from resource r where ${whereOf(end)} limit ${linkBounds.targets + 1}`;
  const ids = split(await asked(q, end, sql`array_to_string(array(${rows}), ',')`, sql``), ',');
  return ids && ids.length <= linkBounds.targets ? ids : undefined;
}

/** As `findTargets`, with what canonicals name them by. One statement. */
export async function findPublished(q: Queryable, end: OtherEnd): Promise<Published[] | undefined> {
  const rows = sql`select r.id, r.content ->> 'url' as url, r.content ->> 'version' as version
    from resource r where ${whereOf(end)} limit ${linkBounds.targets + 1}`;
  const all = sql`(select json_agg(json_build_array(f.id, f.url, f.version)) from found f)::text`;
  const text = await asked(q, end, sql`coalesce(${all}, '[]')`, sql`, found as materialized (${rows})`);
  const found = text === undefined ? [] : (JSON.parse(text) as [string, string | null, string | null][]);
  if (text === undefined || found.length > linkBounds.targets) return undefined;
  return found.map(([id, url, version]) => ({ type: end.type, id, url, version }));
}

/** The ids of this type to which resources at the other end refer by the parameter; undefined when those are too many. One statement. */
export async function findReferred(
  q: Queryable,
  end: OtherEnd,
  param: SearchParam,
  type: string,
): Promise<string[] | undefined> {
  const rows = sql`select ${referencesAll(param, type)} as said from resource r where ${whereOf(end)} limit ${linkBounds.sources + 1}`;
  const isLight = sql`coalesce(sum(pg_column_size(r.said)), 0) <= ${MOST_BYTES}`;
  const all = sql`(select case when ${isLight} then coalesce(json_agg(r.said)::text, '[]') end from found r)`;
  const text = await asked(q, end, ifFew(all), sql`, found as materialized (${rows})`);
  if (text === undefined) return undefined;
  const read = readId(type);
  const ids = (JSON.parse(text) as unknown[][]).flatMap((said) => said.map(read));
  return [...new Set(ids)].filter((id) => id !== undefined);
}

/** Of references: so many are read in the program. */
const MOST_BYTES = 4 * 1024 * 1024;

/** What resources at the other end name by their canonicals; undefined when that is too much. One statement. */
export async function findNames(q: Queryable, end: OtherEnd, param: SearchParam): Promise<Name[] | undefined> {
  const rows = sql`select r.content from resource r where ${whereOf(end)} limit ${linkBounds.sources + 1}`;
  const few = sql`select distinct name.url, name.version from found r, lateral ${names(param)} limit ${linkBounds.names + 1}`;
  const all = ifFew(
    sql`coalesce((select json_agg(json_build_array(few.url, few.version)) from (${few}) few)::text, '[]')`,
  );
  const text = await asked(q, end, all, sql`, found as materialized (${rows})`);
  const found = text === undefined ? [] : (JSON.parse(text) as [string, string | null][]);
  if (text === undefined || found.length > linkBounds.names) return undefined;
  return found.map(([url, version]) => ({ url, version }));
}

/** The ids of rows that fulfil this, which asks an index; undefined when there are more than `targets`. One statement. */
export async function findFew(q: Queryable, projectId: string, type: string, fits: SQL): Promise<string[] | undefined> {
  const rows = await runSql<{ id: string }>(
    q,
    sql`select r.id from resource r where ${inProject(projectId, false)} and ${ofType(type)} and not r.deleted and ${fits} limit ${linkBounds.targets + 1}`,
  );
  return rows.length <= linkBounds.targets ? rows.map(({ id }) => id) : undefined;
}

/** Nothing is fetched where the words fit so many resources that even those would be too many. */
async function asked(q: Queryable, end: OtherEnd, answer: SQL, also: SQL): Promise<string | undefined> {
  const many = isSelective(end.filter) ? undefined : areMany(end.projectId, end.filter);
  const looked = sql`with look as materialized (select ${many ?? sql`false`} as many)`;
  const [row] = await runSql<{ answer: string | null }>(
    q,
    sql`${looked}${also} select case when not (select many from look) then ${answer} end as answer`,
  );
  return row?.answer ?? undefined;
}

/** Of more rows nothing is read. */
function ifFew(answer: SQL): SQL {
  return sql`case when (select count(*) from found) <= ${linkBounds.sources} then ${answer} end`;
}

function split(ids: string | undefined, by: string): string[] | undefined {
  if (ids === undefined) return undefined;
  return ids === '' ? [] : ids.split(by);
}

function whereOf({ projectId, type, filter, also }: OtherEnd): SQL {
  const where = matching({ projectId, type, correlated: isSelective(filter) }, filter);
  return sql`not (select many from look) and ${where}${also ? sql` and ${also}` : sql``}`;
}
