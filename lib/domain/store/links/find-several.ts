import { type SQL, sql } from 'drizzle-orm';
import { db, type Queryable, runSql } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import type { Expr } from '#lib/protocol/fhir/search/ir.ts';
import { typeId, typeName } from '#lib/protocol/fhir/type-ids.ts';
import { compileFilter } from '../compile-filter.ts';
import { LIGHT_ONLY, type WeighedRow, WHOLE, withHeavy } from '../page-weight.ts';
import { hasAnyToken } from '../planner/has-any-token.ts';
import { inProject } from '../planner/in-project.ts';
import { fromRaw, type Row } from '../row.ts';
import { fetchWhole } from '../search-rows.ts';

// On the connections that keep plans: behind `offset 0` and asked row by row, nothing here is planned otherwise for other values, and a plan over all
// partitions takes three times as long to make as to run.

/** What is asked of one of the types. */
export type Part = { type: string; filter: Expr; also?: SQL };
/** With selective tokens, of which each row has one: such as what is in a compartment (data.md, planner lesson 1). */
export type LedPart = Part & { tokens: readonly bigint[] };

/** Where a page ended: newest first, and what changed at one moment by type and id. */
export type Spot = { at: string; type: string; id: string };

export type SeveralQuery = {
  projectId: string;
  parts: readonly LedPart[];
  /** What the rows `r` of every type must fulfil besides. */
  also?: SQL;
  count: number;
  after?: Spot;
  mostBytes: number;
};

type Raw = WeighedRow & { type_id: number };

/** What changed at one moment by type and id. */
const NEWEST = sql`r.last_updated desc, r.type_id, r.id`;

/** The newest rows of several types that have one of their type's tokens. One statement, whatever the types. */
export async function findSeveral(
  query: SeveralQuery,
  q: Queryable = db(),
): Promise<{ rows: Row[]; next: Spot | undefined }> {
  const { projectId, count, after, mostBytes } = query;
  const raws = await runSql<Raw>(
    q,
    sql`${found(query)} select r.type_id, r.id, r.version, r.last_updated, r.author, ${LIGHT_ONLY} from (
      select r.* from named n, ${rowOf('n', projectId)} where ${whereOf(query)}${after ? sql` and ${isPast(after)}` : sql``}
      order by ${NEWEST} limit ${count + 1}) r
    order by ${NEWEST}`,
  );
  // Two types may have the same id.
  const named = raws.slice(0, count).map((raw) => ({ ...raw, id: `${typeName(raw.type_id)}/${raw.id}` }));
  const { rows, taken } = await withHeavy(named, mostBytes, (heavy) => fetchHeavy(q, projectId, heavy));
  const last = raws.length > taken ? raws[taken - 1] : undefined;
  return { rows: rows.map((raw) => toRow(projectId, raw)), next: last && spotOf(last) };
}

export async function countSeveral(query: SeveralQuery, q: Queryable = db()): Promise<number> {
  const [row] = await runSql<{ total: number }>(
    q,
    sql`${found(query)} select count(*)::int as total from named n, ${rowOf('n', query.projectId)} where ${whereOf(query)}`,
  );
  return row?.total ?? 0;
}

/** Those of some names (`Type/id`) that are there and fulfil what is asked of their type. One statement. */
export async function findNamed(
  { projectId, parts, also }: { projectId: string; parts: readonly Part[]; also?: SQL },
  names: readonly { type: string; id: string }[],
  q: Queryable = db(),
): Promise<Row[]> {
  const ids = sql`unnest(${toTypeArray(names.map(({ type }) => type))}::smallint[], ${toTextArray(names.map(({ id }) => id))}::text[])`;
  const raws = await runSql<Raw>(
    q,
    sql`select r.type_id, r.id, r.version, r.last_updated, r.author, ${WHOLE}
    from ${ids} n(type_id, id), ${rowOf('n', projectId)} where ${whereOf({ projectId, parts, also })}`,
  );
  return raws.map((raw) => fromRaw(projectId, typeName(raw.type_id), raw));
}

/**
 * The tokens of each type are looked for in its partition, of types that the project has: of all at once the planner would think that most rows
 * have one, and compare each with each. Behind `offset 0` it knows nothing of them, and nothing is joined otherwise.
 */
function found({ projectId, parts }: SeveralQuery): SQL {
  const tokens = parts.flatMap((part) => part.tokens.map((token) => ({ type: part.type, token })));
  const pairs = sql`unnest(${toTypeArray(tokens.map(({ type }) => type))}::smallint[], ${`{${tokens.map(({ token }) => token).join(',')}}`}::bigint[]) v(type_id, token)`;
  return sql`with sought as materialized (
      select v.type_id, array_agg(v.token) as tokens from ${pairs} group by v.type_id having exists (
        select from resource r where r.project_id = ${projectId}::uuid and r.type_id = v.type_id and not r.deleted)),
    named as materialized (select r.type_id, r.id from sought s, lateral (select r.type_id, r.id from resource r
      where ${inProject(projectId, true)} and ${hasAnyToken(sql`s.tokens`)} and r.type_id = s.type_id offset 0) r)`;
}

function rowOf(alias: string, projectId: string): SQL {
  const name = (column: string) => sql.raw(`${alias}.${column}`);
  return sql`lateral (select * from resource r
    where r.project_id = ${projectId}::uuid and r.type_id = ${name('type_id')} and r.id = ${name('id')} offset 0) r`;
}

function whereOf({ projectId, parts, also }: { projectId: string; parts: readonly Part[]; also?: SQL }): SQL {
  return sql`not r.deleted and ${fitsParts(projectId, parts)}${also ? sql` and ${also}` : sql``}`;
}

function toTypeArray(types: readonly string[]): string {
  return `{${types.map(typeId).join(',')}}`;
}

/** Types of which all is asked stand together: with one text for any of them. */
function fitsParts(projectId: string, parts: readonly Part[]): SQL {
  const whole = parts.filter(({ filter, also }) => filter.op === 'all' && !also).map(({ type }) => type);
  const conditions = parts
    .filter(({ filter, also }) => filter.op !== 'all' || also)
    .map(({ type, filter, also }) => {
      const fits = compileFilter({ projectId, type, correlated: true, walked: true }, filter);
      return sql`(r.type_id = ${sql.raw(String(typeId(type)))} and ${fits}${also ? sql` and ${also}` : sql``})`;
    });
  const all = [sql`r.type_id = any(${toTypeArray(whole)}::smallint[])`, ...conditions];
  return sql`(${sql.join(all, sql.raw(' or '))})`;
}

function isPast({ at, type, id }: Spot): SQL {
  const moment = sql`${at}::timestamptz`;
  return sql`(r.last_updated < ${moment} or (r.last_updated = ${moment} and (r.type_id, r.id) > (${typeId(type)}::smallint, ${id}::text collate "C")))`;
}

function spotOf(raw: Raw): Spot {
  return { at: new Date(raw.last_updated).toISOString(), type: typeName(raw.type_id), id: raw.id };
}

async function fetchHeavy(q: Queryable, projectId: string, heavy: Raw[]): Promise<Raw[]> {
  const found = [];
  for (const [type, rows] of Map.groupBy(heavy, (row) => row.type_id)) {
    const own = rows.map((row) => ({ ...row, id: row.id.slice(row.id.indexOf('/') + 1) }));
    const whole = await fetchWhole(q, projectId, typeName(type), own);
    found.push(...whole.map((row) => ({ ...row, type_id: type, id: `${typeName(type)}/${row.id}` })));
  }
  return found;
}

function toRow(projectId: string, raw: Raw): Row {
  const [type = '', id = ''] = raw.id.split('/');
  return fromRaw(projectId, type, { ...raw, id });
}
