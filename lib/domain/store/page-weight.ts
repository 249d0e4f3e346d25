import { sql } from 'drizzle-orm';
import type { RawRow } from './row.ts';

/** `weight`: bytes as kept, of a row that came with a page. One that is heavy comes without its texts at first. */
export type WeighedRow = RawRow & { weight?: number };

/** The texts of the row `r`. */
export const WHOLE_TEXT = 'r.meta::text as meta, r.content::text as content';
export const WHOLE = sql.raw(WHOLE_TEXT);

/** Bytes as kept, up to which a thousand rows are no burden, whatever they unpack to. */
export const LIGHT_BYTES = 6000;
const STORED = 'coalesce(pg_column_size(r.content), 0) + coalesce(pg_column_size(r.meta), 0)';

/** As `WHOLE`, of light rows only; what a row weighs is told without unpacking it. */
export const LIGHT_ONLY_TEXT = `case when ${STORED} < ${LIGHT_BYTES} then r.meta::text end as meta, case when ${STORED} < ${LIGHT_BYTES} then r.content::text end as content, ${STORED} as weight`;
export const LIGHT_ONLY = sql.raw(LIGHT_ONLY_TEXT);

/** Small rows are kept as they are, others compressed: clinical text to a fifth, and little else to less than a twentieth. */
const COMPRESSED_FROM = 2000;
const MOST_COMPRESSED = 20;

/** How many of the rows, in their order, come before they weigh too much together; never none. */
export function countFitting(rows: WeighedRow[], mostBytes = Number.POSITIVE_INFINITY): number {
  let sum = 0;
  for (const [at, { weight = 0 }] of rows.entries()) {
    if (at > 0 && sum >= mostBytes) return at;
    sum += weight < COMPRESSED_FROM ? weight : weight * MOST_COMPRESSED;
  }
  return rows.length;
}

/** Of one page: it is put together in memory, as one text. */
export const PAGE_BYTES = 16 * 1024 * 1024;
/** Heavy rows are fetched so many at a time. */
const CHUNK = 4;

/**
 * The rows with the texts of those that are heavy, up to the one with which they weigh too much as they are sent; without those of which
 * `fetch` no longer finds that version, since another may lie out of the caller's reach. `taken`: of how many rows they are.
 */
export async function withHeavy<R extends WeighedRow>(
  rows: R[],
  mostBytes: number,
  fetch: (heavy: R[]) => Promise<R[]>,
): Promise<{ rows: R[]; taken: number }> {
  const whole: R[] = [];
  let sum = 0;
  let heavy = new Map<string, R | undefined>();
  for (const [at, row] of rows.entries()) {
    if (sum >= mostBytes) return { rows: whole, taken: at };
    let found: R | undefined = row;
    if (isHeavy(row)) {
      if (!heavy.has(nameOf(row))) heavy = await fetched(rows.slice(at).filter(isHeavy).slice(0, CHUNK), fetch);
      found = heavy.get(nameOf(row));
    }
    if (found) whole.push(found);
    sum += found?.content?.length ?? 0;
  }
  return { rows: whole, taken: rows.length };
}

function isHeavy({ weight = 0 }: WeighedRow): boolean {
  return weight >= LIGHT_BYTES;
}

/** Two types may share an id. */
function nameOf({ id, version, type_id = 0 }: WeighedRow & { type_id?: number }): string {
  return `${type_id}/${id}/${version}`;
}

async function fetched<R extends WeighedRow>(
  wanted: R[],
  fetch: (heavy: R[]) => Promise<R[]>,
): Promise<Map<string, R | undefined>> {
  const found = new Map((await fetch(wanted)).map((row) => [nameOf(row), row]));
  return new Map(wanted.map((row) => [nameOf(row), found.get(nameOf(row))]));
}
