import { type SQL, sql } from 'drizzle-orm';
import { db, type Queryable, searches } from '#lib/infra/db/client.ts';
import type { Expr } from '#lib/protocol/fhir/search/ir.ts';
import { hasContains } from '../cost/lead-of.ts';
import { hasAnyToken } from './has-any-token.ts';

/** Of more, PostgreSQL may look for all else first, and needs to know them. */
const MOST_TOKENS = 16;

/** Of more, it depends on how many there are whether an order is walked for them. */
const MOST_IDS = 64;

/**
 * Whether there is one way to the rows, whatever the values are: by a few tokens that hardly any have, or a few ids. Such a statement keeps its plan,
 * which takes PostgreSQL four times as long to make as to follow.
 */
export function hasOneWay(filter: Expr): boolean {
  if (filter.op === 'and' && filter.args.some(isFewIds)) return filter.args.every(isInRow);
  return filter.op === 'and' ? filter.args.some(isFewSelective) : isFewSelective(filter) || isFewIds(filter);
}

function isFewIds(expr: Expr): boolean {
  return expr.op === 'id' && expr.anyOf.length <= MOST_IDS;
}

/** Of tokens a plan that is kept thinks that a hundredth of all rows fit, and of ids that ten do. */
function isInRow({ op }: Expr): boolean {
  return op === 'id' || op === 'token';
}

function isFewSelective(expr: Expr): boolean {
  return expr.op === 'token' && expr.selective && expr.anyOf.length <= MOST_TOKENS;
}

/** Where the other end of a link is looked for: by the beginning of a text, too, of which no more are fetched than a few. In the open transaction where there is one. */
export function connectionFor(filter: Expr, tx: Queryable | undefined): Queryable {
  const isText = filter.op === 'string' && !hasContains(filter);
  return tx ?? (isText || hasOneWay(filter) ? db() : searches());
}

/** That row `r` has one of the tokens; of few that hardly any have, by a plan that is kept and knows nothing of them. */
export function hasToken(expr: Extract<Expr, { op: 'token' }>): SQL {
  const tokens = sql`${`{${expr.anyOf.join(',')}}`}::bigint[]`;
  return isFewSelective(expr) ? sql`(${hasAnyToken(tokens)})` : sql`r.tokens && ${tokens}`;
}
