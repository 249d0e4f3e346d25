import type { Source } from './source.ts';
import type { TableRooms } from './table-writers.ts';

/**
 * Every table has a line in the table of retentions (`kept`, in table-rooms.ts), and what it says is swept is swept: the room's `over.ts`
 * names the table, and the sweeper has the room on its list.
 */
export function retentions(rooms: TableRooms): (sources: readonly Source[]) => string[] {
  return (sources) => {
    const swept = new Map(
      sources
        .filter(({ path }) => path.endsWith('/over.ts'))
        .flatMap(({ path, text }) => [...text.matchAll(/\b(\w+): \{\s*key: \[/g)].map((m) => [m[1]!, path])),
    );
    const sweeper = sources.find(({ path }) => path.endsWith('/sweeper.ts'))?.text ?? '';
    const listed = Object.entries(rooms);
    return [
      ...listed
        .filter(([, { kept }]) => !kept)
        .map(([table]) => `${table}: table-rooms.ts does not say how long its rows are kept`),
      ...listed
        .filter(([table, { kept }]) => kept && 'swept' in kept && !swept.has(table))
        .map(([table]) => `${table} is swept, says table-rooms.ts, but no over.ts names it`),
      ...[...swept]
        .filter(([table]) => !('swept' in (rooms[table]?.kept ?? {})))
        .map(([table, path]) => `${path} drops rows of ${table}, which table-rooms.ts does not say`),
      ...[...new Set(swept.values())]
        .filter((path) => !sweeper.includes(`${path}'`))
        .map((path) => `${path} is not on the sweeper’s list`),
    ];
  };
}
