import { isShipped, type Source } from './source.ts';

/** `setting`: what says for how long, in days. `by`: the file that sweeps it, where that is not its room's `over.ts`. */
export type Kept = { swept: string; setting?: string; by?: string } | { goes: string } | { stays: string };
export type TableRooms = Record<string, { room: string; also?: Record<string, string>; kept: Kept }>;
export type AnyTable = Record<string, string>;

type Writer = { path: string; table: string };

/**
 * Each table is written by its room: who wants it changed calls a function of that room. Looks for Drizzle's insert, update and
 * delete, and for the same in SQL. `rooms`: by table, with exceptions and why; `anyTable`: files that are told the table.
 */
export function tableWriters(rooms: TableRooms, anyTable: AnyTable): (sources: readonly Source[]) => string[] {
  return (sources) => {
    const tables = tablesOf(sources);
    const writers = sources
      .filter((source) => isShipped(source) && /^(app|components|lib|[\w.]+$)/.test(source.path))
      .flatMap((source) => writesOf(source, tables));
    const foreign = writers.filter(({ path, table }) => !mayWrite(path, table));
    const sentences = foreign.map(
      ({ path, table }) => `${path} writes ${table}, which only ${rooms[table]?.room ?? 'its room'} writes`,
    );
    return [
      ...[...tables.values()].filter((table) => !rooms[table]).map((table) => `${table} has no room in table-rooms.ts`),
      ...new Set(sentences),
      ...idle(writers).map((entry) => `table-rooms.ts lets ${entry}, which it does not`),
    ];
  };

  function mayWrite(path: string, table: string): boolean {
    if (table === ANY) return path in anyTable;
    const { room = '', also = {} } = rooms[table] ?? {};
    return [room, ...Object.keys(also)].some((each) => isBelow(path, each));
  }

  function idle(writers: Writer[]): string[] {
    const listed = Object.entries(rooms).flatMap(([table, { room, also }]) =>
      [room, ...Object.keys(also ?? {})].map((each) => ({ table, room: each })),
    );
    return listed
      .filter(({ table, room }) => !writers.some((writer) => writer.table === table && isBelow(writer.path, room)))
      .map(({ table, room }) => `${room} write ${table}`);
  }
}

const ANY = 'any table';

function isBelow(path: string, room: string): boolean {
  return path === room || path.startsWith(`${room}/`);
}

/** The name in the schema's source by the name in the database. */
function tablesOf(sources: readonly Source[]): Map<string, string> {
  const schemas = sources.filter(({ path }) => path.startsWith('lib/infra/db/schema/'));
  return new Map(
    schemas.flatMap(({ text }) =>
      [...text.matchAll(/export const (\w+) = pgTable\(\s*'(\w+)'/g)].map((match): [string, string] => [
        match[1]!,
        match[2]!,
      ]),
    ),
  );
}

function writesOf({ path, text }: Source, tables: Map<string, string>): Writer[] {
  const drizzle = [...text.matchAll(/\.(?:insert|update|delete)\(\s*(\w+)\s*\)/g)]
    .filter(([, name = '']) => new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '[^']*/schema/`).test(text))
    .map(([, name = '']) => tables.get(name));
  const known = new Set(tables.values());
  const raw = [...text.matchAll(/\b(?:insert\s+into|delete\s+from|update)\s+(?:only\s+)?("?\w+"?|\$\{[^}]*\})/gi)]
    .filter(
      (match) =>
        !/^update/i.test(match[0]) || /^\s+(?:as\s+)?(?:\w+\s+)?set\b/i.test(text.slice(match.index + match[0].length)),
    )
    .map(([, target = '']) => {
      const name = target.replace(/^\$\{|\}$|"/g, '');
      return known.has(name) ? name : (tables.get(name) ?? (target.startsWith('$') ? ANY : undefined));
    });
  return [...drizzle, ...raw].flatMap((table) => (table === undefined ? [] : { path, table }));
}
