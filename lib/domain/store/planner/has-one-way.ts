import { type SQL, sql } from 'drizzle-orm';
import { db, type Queryable, searches } from '#lib/infra/db/client.ts';
import type { Expr } from '#lib/protocol/fhir/search/ir.ts';
import { hasAnyToken } from './has-any-token.ts';

/** Of more, PostgreSQL may look for all else first, and needs to know them. */
const MOST_TOKENS = 16;

/**
 * Whether there is one way to the rows, whatever the values are: by a few tokens that hardly any have. Such a statement keeps its plan, which
 * takes PostgreSQL four times as long to make as to follow. Not by ids: how many there are decides whether an order is walked for them.
 */
export function hasOneWay(filter: Expr): boolean {
  return filter.op === 'and' ? filter.args.some(isFewSelective) : isFewSelective(filter);
}

function isFewSelective(expr: Expr): boolean {
  return expr.op === 'token' && expr.selective && expr.anyOf.length <= MOST_TOKENS;
}

/** Where the rows of a filter are looked for; in the open transaction where there is one. */
export function connectionFor(filter: Expr, tx: Queryable | undefined): Queryable {
  return tx ?? (hasOneWay(filter) ? db() : searches());
}

/** That row `r` has one of the tokens; of few that hardly any have, by a plan that is kept and knows nothing of them. */
export function hasToken(expr: Extract<Expr, { op: 'token' }>): SQL {
  const tokens = sql`${`{${expr.anyOf.join(',')}}`}::bigint[]`;
  return isFewSelective(expr) ? sql`(${hasAnyToken(tokens)})` : sql`r.tokens && ${tokens}`;
}
