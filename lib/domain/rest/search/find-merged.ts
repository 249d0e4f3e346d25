import type { Queryable } from '#lib/infra/db/client.ts';
import type { SearchQuery } from '#lib/protocol/fhir/search/parse-search.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Actor } from '../../access/context.ts';
import type { Dear } from '../../store/cost/foretell.ts';
import type { Part, Spot } from '../../store/links/find-several.ts';
import { PAGE_BYTES } from '../../store/page-weight.ts';
import type { Row } from '../../store/row.ts';
import type { Place } from '../../store/search-cursor.ts';
import { type SearchResult, searchRows } from '../../store/search-rows.ts';

/** What is asked of each type, and where the page before ended. */
export type Asked = { parts: (Part & { dear?: Dear })[]; after: Spot | undefined };
/** `total`: where it was asked for. */
export type Page = { rows: Row[]; next: Spot | undefined; total: number | undefined };

/**
 * A page over several types: each is searched by itself, as its index has it, and the pages are made one. What changed at one moment stands by
 * type and id, so that a page goes on where the one before ended.
 */
export async function findMerged(
  { projectId }: Actor,
  { count, sort, total, summary }: SearchQuery,
  { parts, after }: Asked,
  tx?: Queryable,
): Promise<Page> {
  const found = await Promise.all(
    parts.map(({ type, filter, also, dear }) => {
      const place = after && placeFor(type, after);
      const query = { type, filter, also, dear, count, sort, total, summary, offset: 0, after: place };
      return searchRows(projectId, { ...query, mostBytes: PAGE_BYTES / parts.length }, { op: 'all' }, tx);
    }),
  );
  const isAscending = sort.some(({ descending }) => !descending);
  const rows = merged(found, isAscending).slice(0, count);
  const all = found.reduce((sum, one) => sum + one.rows.length, 0);
  const last = rows.length < all || found.some(({ next }) => next) ? rows.at(-1) : undefined;
  const counted = found.map((one) => one.total).filter((one) => one !== undefined);
  return {
    rows,
    next: last && { at: last.lastUpdated.toISOString(), type: last.type, id: last.id },
    total: counted.length === found.length ? counted.reduce((sum, one) => sum + one, 0) : undefined,
  };
}

/** After all ids, and before them. */
const [LAST, FIRST] = ['~', ''];

function placeFor(type: Part['type'], { at, type: other, id }: Spot): Place {
  const own = typeId(type);
  const bound = typeId(other);
  return { values: [at], id: own === bound ? id : own < bound ? LAST : FIRST };
}

/** As far as all pages tell: past the end of one that goes on, the next may be its own. */
function merged(found: SearchResult[], isAscending: boolean): Row[] {
  const compare = (a: Row, b: Row) => {
    const time = a.lastUpdated.getTime() - b.lastUpdated.getTime();
    if (time !== 0) return isAscending ? time : -time;
    return typeId(a.type) - typeId(b.type) || Number(a.id > b.id) - Number(a.id < b.id);
  };
  const ends = found.flatMap(({ rows, next }) => (next ? (rows.at(-1) ?? []) : []));
  const rows = found.flatMap((one) => one.rows).sort(compare);
  return rows.filter((row) => ends.every((end) => compare(row, end) <= 0));
}
