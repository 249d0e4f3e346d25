import { loadModule, parseSync } from 'libpg-query';
import { isForHome } from '#lib/infra/db/cluster/at-home.ts';
import type { NotedStatement } from '../set-up/noted-statements.ts';
import { readStatement } from './read-statement.ts';
import { TABLES } from './tables.ts';
import { valueTerm } from './terms.ts';

await loadModule();

const FIRST = valueTerm('$1');

/**
 * What keeps a statement from being one project's: undefined when each tenant's table in it stands with `project_id = $n`, all of one value,
 * and no other table beside them; when it inserts with more, $1. Such a statement runs on a cluster as on one server, on the one node that has the project.
 */
export function judge({ text, equals }: Pick<NotedStatement, 'text' | 'equals'>): string | undefined {
  const { stmts = [] } = parseSync(text);
  const isHomes = isForHome(text);
  return stmts.map(({ stmt }) => judgeOne(stmt, equals, isHomes)).find(Boolean);
}

function judgeOne(tree: unknown, equals: readonly number[], isHomes: boolean): string | undefined {
  const { named, terms } = readStatement(tree, equals);
  const own = named.filter(({ table }) => TABLES.get(table)?.isTenants);
  const others = new Set(named.map(({ table }) => table).filter((table) => !TABLES.get(table)?.isTenants));
  if (own.length === 0) return undefined;
  if (others.size > 0) return `${[...others].join(', ')} beside ${own[0]?.table}`;
  const values = own.map(({ table, project }) => ({ table, value: project && terms.valueFor(project) }));
  const open = values.find(({ value }) => value === undefined);
  if (open) return `${open.table} of any project`;
  const projects = new Set(values.map(({ value }) => value));
  if (projects.size > 1) return `projects ${[...projects].join(' and ')}`;
  return isHomes && !projects.has(FIRST)
    ? 'its project is not $1, by which it goes to its node (at-home.ts)'
    : undefined;
}
