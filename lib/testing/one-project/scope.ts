import { type Term, type Terms, valueTerm } from './terms.ts';

// biome-ignore lint/suspicious/noExplicitAny: in the parser's own types each node is a union of 260, and each field optional.
export type Node = any;

export type Column = { name: string; term: Term | undefined };
export type Source = { alias: string; columns: Column[] };
/** What names mean at one place of a statement. `tables`: what WITH has named. */
export type Scope = { sources: Source[]; tables: Map<string, Column[]>; outer?: Scope };

export type Reading = {
  terms: Terms;
  /** Of each parameter, the first that always had the same value. */
  equals: readonly number[];
  /** Reads the queries inside an expression. */
  walk(node: Node, scope: Scope): void;
};

/** The conditions that hold of every row: those of an OR do not. */
export function readConditions(reading: Reading, node: Node, scope: Scope): void {
  if (!node) return;
  if (node.BoolExpr?.boolop === 'AND_EXPR') {
    for (const one of node.BoolExpr.args) readConditions(reading, one, scope);
    return;
  }
  if (node.A_Expr?.kind === 'AEXPR_OP' && node.A_Expr.name[0].String.sval === '=') {
    const { lexpr, rexpr } = node.A_Expr;
    const [left, right] = [partsOf(lexpr), partsOf(rexpr)];
    if (left.length === right.length) {
      left.forEach((part, index) => {
        reading.terms.equate(termOf(reading, part, scope), termOf(reading, right[index], scope));
      });
    }
  }
  reading.walk(node, scope);
}

function partsOf(node: Node): Node[] {
  return node.RowExpr?.args ?? [node];
}

/** A column that is cast is no column any more: a cluster sees a project only in what is compared as it is stored. */
function termOf({ equals }: Reading, node: Node, scope: Scope): Term | undefined {
  const inner = uncast(node);
  if (inner.ParamRef) return valueTerm(`$${(equals[inner.ParamRef.number - 1] ?? inner.ParamRef.number - 1) + 1}`);
  if (inner.A_Const?.sval) return valueTerm(inner.A_Const.sval.sval);
  return node.ColumnRef ? resolve(node.ColumnRef.fields, scope) : undefined;
}

function uncast(node: Node): Node {
  return node?.TypeCast ? uncast(node.TypeCast.arg) : (node ?? {});
}

function resolve(fields: Node[], scope: Scope): Term | undefined {
  const names = fields.map((field) => field.String?.sval);
  const [alias, name] = names.length > 1 ? names.slice(-2) : [undefined, names[0]];
  for (let at: Scope | undefined = scope; at; at = at.outer) {
    const sources = at.sources.filter((source) => alias === undefined || source.alias === alias);
    const found = sources.flatMap((source) => source.columns.filter((column) => column.name === name));
    if (found[0]) return found[0].term;
    if (alias !== undefined && sources.length > 0) return undefined;
  }
  return undefined;
}

/** What one entry after SELECT or RETURNING gives: several columns, where it has a star. */
export function outputOf(reading: Reading, { name, val }: Node, scope: Scope): Column[] {
  const fields: Node[] = val?.ColumnRef?.fields ?? [];
  if (fields.at(-1)?.A_Star) {
    const alias = fields.length > 1 ? fields[0].String.sval : undefined;
    return scope.sources.flatMap((source) => (alias === undefined || source.alias === alias ? source.columns : []));
  }
  return [{ name: name ?? fields.at(-1)?.String?.sval ?? '', term: termOf(reading, val, scope) }];
}

export function find(source: Source, name: string): Term | undefined {
  return source.columns.find((column) => column.name === name)?.term;
}

export function renamed(columns: Column[], names: Node[] = []): Column[] {
  return columns.map(({ name, term }, index) => ({ name: names[index]?.String.sval ?? name, term }));
}

/** What the parts are, if they turn out to be one. */
export function oneOf(terms: Terms, parts: (Term | undefined)[]): Term {
  const term = terms.fresh();
  terms.combine(term, parts);
  return term;
}
