import type { Expr } from '#lib/protocol/fhir/search/ir.ts';
import { isPrincipal } from '../principal-date.ts';

/** Of conditions of which each may find a great many, and nobody has looked how many, one is fetched, and of that the others are asked. */
export function leadOf(type: string, args: Expr[]): Expr | undefined {
  const fetched = args.filter((arg) => isFetched(type, arg) && hasEntries(arg));
  return fetched.some(isOpen) ? (fetched.find((arg) => !isOpen(arg)) ?? fetched[0]) : undefined;
}

/**
 * Whether an index finds what fits. Where one of several alternatives is asked of each row, so are the others: or each row would be compared
 * with all that they find.
 */
export function isFetched(type: string, expr: Expr): boolean {
  if (expr.op === 'or') return expr.args.every((arg) => isFetched(type, arg));
  if (expr.op === 'and') return expr.args.some((arg) => isFetched(type, arg));
  return ['token', 'string', 'date', 'quantity', 'near', 'id'].includes(expr.op) && !isPrincipal(type, expr);
}

/** Tokens and ids stand in the row itself. */
function hasEntries(expr: Expr): boolean {
  if (expr.op === 'or' || expr.op === 'and') return expr.args.some(hasEntries);
  return expr.op !== 'token' && expr.op !== 'id';
}

/** All of an index is read for it, or it is several (is-frequent.ts). */
function isOpen(expr: Expr): boolean {
  return expr.op === 'or' || expr.op === 'and' || hasContains(expr);
}

export function hasContains(expr: Expr): boolean {
  return expr.op === 'string' && expr.values.some(({ mode }) => mode === 'contains');
}
