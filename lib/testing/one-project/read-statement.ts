import type { Column, Node, Reading } from './scope.ts';
import { find, oneOf, outputOf, readConditions, renamed, type Scope, type Source } from './scope.ts';
import { TABLES } from './tables.ts';
import { createTerms, type Term, type Terms } from './terms.ts';

/** A table that the statement names, and what stands for its project. */
export type Named = { table: string; project: Term | undefined };

/** The tables that a statement names, at any depth. `equals`: parameters with one number always had one value. */
export function readStatement(tree: Node, equals: readonly number[]): { named: Named[]; terms: Terms } {
  const terms = createTerms();
  const named: Named[] = [];
  const reading: Reading = { terms, equals, walk };
  walk(tree, { sources: [], tables: new Map() });
  return { named, terms };

  function walk(node: Node, scope: Scope): void {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries<Node>(node)) {
      if (!readQuery({ [key]: value }, scope)) walk(value, scope);
    }
  }

  /** The columns that it gives; undefined of what is no query. */
  function readQuery({ SelectStmt, InsertStmt, UpdateStmt, DeleteStmt }: Node, outer: Scope): Column[] | undefined {
    if (SelectStmt) return readSelect(SelectStmt, outer);
    if (InsertStmt) return readInsert(InsertStmt, outer);
    if (UpdateStmt ?? DeleteStmt) return readChange(UpdateStmt ?? DeleteStmt, outer);
    return undefined;
  }

  function readSelect(node: Node, outer: Scope): Column[] {
    const scope = within(node, outer);
    if (node.valuesLists) return readRows(node.valuesLists, scope);
    if (node.larg) return readBoth(node, scope);
    readFrom(node.fromClause, scope);
    readConditions(reading, node.whereClause, scope);
    for (const key of ['targetList', 'groupClause', 'havingClause', 'sortClause', 'limitCount']) walk(node[key], scope);
    return outputsOf(node.targetList, scope);
  }

  function readBoth(node: Node, scope: Scope): Column[] {
    const [left, right] = [readSelect(node.larg, scope), readSelect(node.rarg, scope)];
    return left.map(({ name, term }, index) => ({ name, term: oneOf(terms, [term, right[index]?.term]) }));
  }

  function readRows(lists: Node[], scope: Scope): Column[] {
    walk(lists, scope);
    const rows = lists.map(({ List }) =>
      List.items.map((item: Node) => outputOf(reading, { val: item }, scope)[0]?.term),
    );
    return rows[0].map((_: unknown, index: number) => {
      return {
        name: `column${index + 1}`,
        term: oneOf(
          terms,
          rows.map((row) => row[index]),
        ),
      };
    });
  }

  function readInsert(node: Node, outer: Scope): Column[] {
    const scope = within(node, outer);
    const given = node.selectStmt ? readSelect(node.selectStmt.SelectStmt, scope) : [];
    const target = readTable(node.relation, scope);
    const names: string[] =
      node.cols?.map(({ ResTarget }: Node) => ResTarget.name) ?? target.columns.map(({ name }) => name);
    names.forEach((name, index) => void terms.equate(find(target, name), given[index]?.term));
    walk(node.onConflictClause, scope);
    return outputsOf(node.returningClause?.exprs, scope);
  }

  function readChange(node: Node, outer: Scope): Column[] {
    const scope = within(node, outer);
    readTable(node.relation, scope);
    readFrom(node.fromClause ?? node.usingClause, scope);
    readConditions(reading, node.whereClause, scope);
    walk(node.targetList, scope);
    walk(node.returningClause, scope);
    return outputsOf(node.returningClause?.exprs, scope);
  }

  function outputsOf(targets: Node[] = [], scope: Scope): Column[] {
    return targets.flatMap(({ ResTarget }) => outputOf(reading, ResTarget, scope));
  }

  /** A scope of its own, with what its WITH names. */
  function within({ withClause }: Node, outer: Scope): Scope {
    const scope: Scope = { sources: [], tables: new Map(outer.tables), outer };
    for (const { CommonTableExpr: cte } of withClause?.ctes ?? []) {
      const columns = withClause.recursive ? readRecursive(cte, scope) : (readQuery(cte.ctequery, scope) ?? []);
      scope.tables.set(cte.ctename, renamed(columns, cte.aliascolnames));
    }
    return scope;
  }

  /** What it begins with tells its columns, and each further round gives the same. */
  function readRecursive({ ctename, ctequery, aliascolnames }: Node, scope: Scope): Column[] {
    if (!ctequery.SelectStmt?.larg) return readQuery(ctequery, scope) ?? [];
    const begin = readSelect(ctequery.SelectStmt.larg, scope);
    const columns = begin.map(({ name }) => ({ name, term: terms.fresh() }));
    scope.tables.set(ctename, renamed(columns, aliascolnames));
    const further = readSelect(ctequery.SelectStmt.rarg, scope);
    columns.forEach(({ term }, index) => void terms.combine(term, [begin[index]?.term, further[index]?.term]));
    return columns;
  }

  function readFrom(items: Node[] = [], scope: Scope): void {
    for (const item of items) readItem(item, scope);
  }

  function readItem({ RangeVar, RangeSubselect, RangeFunction, JoinExpr }: Node, scope: Scope): void {
    if (RangeVar) readTable(RangeVar, scope);
    if (RangeSubselect) add(RangeSubselect.alias, readQuery(RangeSubselect.subquery, scope) ?? [], scope);
    if (RangeFunction) {
      walk(RangeFunction.functions, scope);
      const names: Node[] =
        RangeFunction.coldeflist?.map(({ ColumnDef }: Node) => ({ String: { sval: ColumnDef.colname } })) ??
        RangeFunction.alias?.colnames ??
        [];
      add(
        RangeFunction.alias,
        names.map(({ String: { sval } }) => ({ name: sval, term: undefined })),
        scope,
      );
    }
    if (JoinExpr) {
      readItem(JoinExpr.larg, scope);
      const before = scope.sources.length;
      readItem(JoinExpr.rarg, scope);
      for (const { String: name } of JoinExpr.usingClause ?? []) {
        const [left, right] = [scope.sources.slice(0, before), scope.sources.slice(before)].map((all) =>
          all.map((one) => find(one, name.sval)).find(Boolean),
        );
        terms.equate(left, right);
      }
      readConditions(reading, JoinExpr.quals, scope);
    }
  }

  function readTable({ relname, schemaname, alias }: Node, scope: Scope): Source {
    const derived = schemaname ? undefined : scope.tables.get(relname);
    if (derived) return add(alias ?? { aliasname: relname }, derived, scope);
    const columns = (TABLES.get(relname)?.columns ?? []).map((name) => ({ name, term: terms.fresh() }));
    named.push({
      table: schemaname ? `${schemaname}.${relname}` : relname,
      project: columns.find(({ name }) => name === 'project_id')?.term,
    });
    return add(alias ?? { aliasname: relname }, columns, scope);
  }

  function add(alias: Node, columns: Column[], scope: Scope): Source {
    const source = { alias: alias?.aliasname ?? '', columns: renamed(columns, alias?.colnames) };
    scope.sources.push(source);
    return source;
  }
}
