import { once } from 'node:events';
import postgres from 'postgres';
import { forPostgres, parseAddress } from '#lib/infra/db/address.ts';

type Value = string | number | boolean | null | undefined;

/** Rows on their way into tables, by COPY: a million through INSERT would take an hour. */
export function openCopy(url: string) {
  const sql = postgres({ ...forPostgres(parseAddress(url)), max: 1, onnotice: () => undefined });
  let waiting = new Map<string, string[]>();
  let count = 0;
  let written = Promise.resolve();
  const send = async (all: Map<string, string[]>) => {
    for (const [target, lines] of all) {
      const stream = await sql.unsafe(`copy ${target} from stdin`).writable();
      stream.end(lines.join(''));
      await once(stream, 'finish');
    }
  };
  // While PostgreSQL takes these, the next are made.
  const flush = async () => {
    await written;
    written = send(waiting);
    waiting = new Map();
    count = 0;
  };
  return {
    /** `target`: a table with its columns, in the order of the row. */
    async add(target: string, row: readonly Value[]): Promise<void> {
      const lines = waiting.get(target) ?? [];
      lines.push(`${row.map(toText).join('\t')}\n`);
      waiting.set(target, lines);
      count += 1;
      if (count >= MOST_WAITING) await flush();
    },
    /** The last rows, what is counted of them, and what autovacuum does within a minute of so many. */
    async end(count: () => Promise<unknown>): Promise<void> {
      await flush();
      await written;
      await sql`vacuum analyze`;
      await count();
      await sql`vacuum analyze membership_key, member_count, bot_hour`;
      await sql.end();
    },
  };
}

const MOST_WAITING = 50_000;

/** PostgreSQL's text format of COPY. */
function toText(value: Value): string {
  if (value === null || value === undefined) return '\\N';
  return String(value).replace(/[\\\t\n\r]/g, (character) => ESCAPES[character]!);
}

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
