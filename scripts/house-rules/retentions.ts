import type { Source } from './source.ts';
import type { TableRooms } from './table-writers.ts';

const ENV = 'lib/base/env.ts';

/**
 * Every table has a line in the table of retentions (`kept`, in table-rooms.ts), and what it says is swept is swept: the room's `over.ts`
 * names the table, or the file that the line names does, and the sweeper has it on its list. A setting is asked for there, and each
 * that there is stands in a line.
 */
export function retentions(rooms: TableRooms): (sources: readonly Source[]) => string[] {
  return (sources) => {
    const swept = sweptTables(rooms, sources);
    const sweeper = sources.find(({ path }) => path.endsWith('/sweeper.ts'))?.text ?? '';
    const settings = namesIn(sources.find(({ path }) => path === ENV)?.text ?? '');
    const lines = Object.entries(rooms).flatMap(([table, { kept }]) => ('swept' in kept ? [{ table, ...kept }] : []));
    return [
      ...lines
        .filter(({ table }) => !swept.has(table))
        .map(({ table }) => `${table} is swept, says table-rooms.ts, but no over.ts names it`),
      ...[...swept]
        .filter(([table]) => !lines.some((line) => line.table === table))
        .map(([table, { path }]) => `${path} drops rows of ${table}, which table-rooms.ts does not say`),
      ...lines
        .filter(({ table, setting }) => setting && swept.has(table) && !swept.get(table)!.text.includes(setting))
        .map(({ table, setting }) => `${table} is kept by ${setting}, says table-rooms.ts, but its sweep does not ask`),
      ...settings
        .filter((name) => !lines.some(({ setting }) => setting === name))
        .map((name) => `${name} is a setting of no table in table-rooms.ts`),
      ...[...new Set([...swept.values()].map(({ path }) => path))]
        .filter((path) => !sweeper.includes(`${path}'`))
        .map((path) => `${path} is not on the sweeper’s list`),
    ];
  };
}

/** By table, the file that sweeps it. */
function sweptTables(rooms: TableRooms, sources: readonly Source[]): Map<string, Source> {
  const rules = sources
    .filter(({ path }) => path.endsWith('/over.ts'))
    .flatMap((source) =>
      [...source.text.matchAll(/\b(\w+): \{\s*key: \[/g)].map(([, table]) => [table!, source] as const),
    );
  const apart = Object.entries(rooms).flatMap(([table, { kept }]) => {
    const source = 'by' in kept ? sources.find(({ path }) => path === kept.by) : undefined;
    // Itself, or by the table's owner (lib/infra/db/server-role/privileges.ts).
    const isSwept = [`delete from ${table} `, `select sweep_${table}(`].some((text) => source?.text.includes(text));
    return source && isSwept ? [[table, source] as const] : [];
  });
  return new Map([...rules, ...apart]);
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/^ {2}(RETAIN_\w+):/gm)].map(([, name]) => name!);
}
