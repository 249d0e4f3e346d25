import type { Expr } from './ir.ts';

const known = new WeakMap<Expr, ReadonlySet<number> | 'all'>();

/** The parameters (SearchParam.id) of which `evaluate` looks at what is extracted; `all` where an expression does not say which. */
export function askedParams(expr: Expr): ReadonlySet<number> | 'all' {
  const found = known.get(expr);
  if (found) return found;
  const params = new Set<number>();
  const asked = collect(expr, params) ? params : 'all';
  known.set(expr, asked);
  return asked;
}

/** Whether it says which. */
function collect(expr: Expr, params: Set<number>): boolean {
  switch (expr.op) {
    case 'and':
    case 'or':
      return expr.args.every((arg) => collect(arg, params));
    case 'not':
      return collect(expr.arg, params);
    case 'token':
      if (expr.of === undefined) return false;
      params.add(expr.of);
      return true;
    // Of the row, of other resources, or of what every extraction has.
    case 'all':
    case 'none':
    case 'id':
    case 'lastUpdated':
    case 'related':
    case 'unguarded':
      return true;
    case 'string':
    case 'date':
    case 'quantity':
    case 'near':
    case 'words':
    case 'concepts':
    case 'linked':
      return false;
  }
}
