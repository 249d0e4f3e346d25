import { type SQL, sql } from 'drizzle-orm';
import type { SearchParam } from '#lib/protocol/fhir/index/search-params.ts';
import type { Expr } from '#lib/protocol/fhir/search/ir.ts';
import { hasAnyToken } from '../planner/has-any-token.ts';
import { inProject, ofType } from '../planner/in-project.ts';
import { idsReferred, tokensReferringToRow } from './referred.ts';

/**
 * A condition on row `r` in the two forms that its place may need: `leads` by itself finds what fits, `probes` is asked of each row that something
 * else has found.
 */
export type Linked = { leads: SQL; probes: SQL; isIndexed?: boolean };

/** What a link comes to, as a condition on the rows that are searched. */
export type Found = { expr: Expr } | { linked: Linked };

/**
 * That the row has one of so many tokens: of more than a few the planner thinks that most rows have one, and compares each with each. Behind
 * `offset 0` it does not know them, and asks the index. `also`: of those that have one.
 */
export function hasOneOf(projectId: string, type: string, tokens: readonly bigint[], also?: SQL): Linked {
  const list = sql`${`{${tokens.join(',')}}`}::bigint[]`;
  const leads = sql`r.id = any(array(select r.id from (select ${list} as tokens offset 0) v, lateral (
    select * from resource r where ${inProject(projectId, true)} and ${ofType(type)} and ${hasAnyToken(sql`v.tokens`)} offset 0) r${also ? sql` where ${also}` : sql``}))`;
  // A list of constants is looked up in a hash, where && compares each with each.
  const probes = sql`coalesce((select true from unnest(r.tokens) v(token) where v.token = any(${list}) limit 1), false)`;
  return { leads, probes: also ? sql`(${probes} and ${also})` : probes, isIndexed: true };
}

/** Resources at the other end of a link: of one type, and what must be so of row `r`, which is one of them. */
export type Such = { projectId: string; type: string; fits: SQL };

/** That the row refers to such a resource: each of its references is looked up. */
export function refersTo(end: Such, param: SearchParam): SQL {
  return sql`coalesce((select true from ${idsReferred(param, end.type)}, lateral (
    select 1 from resource r where ${inProject(end.projectId, false)} and ${ofType(end.type)} and r.id = target.id and not r.deleted
      and ${end.fits} limit 1) hit limit 1), false)`;
}

/**
 * That such a resource refers to the row, of this type: looked for by the row's own tokens. Behind `offset 0` the planner does not know that one
 * is enough, for which it would begin to read the table.
 */
export function isReferredBy(end: Such, param: SearchParam, type: string): SQL {
  const own = tokensReferringToRow(param, end.projectId, type);
  return sql`coalesce((select true from (select ${own} as tokens offset 0) own, lateral (
    select * from resource r where ${inProject(end.projectId, true)} and ${ofType(end.type)} and ${hasAnyToken(sql`own.tokens`)} offset 0) r
    where not r.deleted and ${end.fits} limit 1), false)`;
}
