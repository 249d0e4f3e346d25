import { db, type Queryable, runText } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import type { Interval } from '#lib/protocol/fhir/index/date-range.ts';
import { typeId, typeName } from '#lib/protocol/fhir/type-ids.ts';
import type { Version } from '../find-history.ts';
import { LIGHT_ONLY_TEXT, PAGE_BYTES, type WeighedRow, WHOLE_TEXT, withHeavy } from '../page-weight.ts';
import { fromRaw } from '../row.ts';

/** Where a page ended: the last version that was looked at. */
export type ChangePlace = { lastUpdated: string; type: number; id: string; version: number };

export type ChangesPage = {
  types: readonly string[];
  /** At most 1000. */
  count: number;
  /** Inclusive. */
  since?: Date;
  /** Versions that were current at some time of it. */
  at?: Interval;
  after?: ChangePlace;
};

type RawChange = WeighedRow & { type_id: number; op: Version['op'] };

/**
 * Versions of all resources of these types, newest first; fewer than asked for where they weigh too much together, never none. `more`: there
 * are others after them. One round trip, and one more for each few that are heavy; costs what a page of each type's index costs.
 */
export async function findChanges(
  projectId: string,
  page: ChangesPage,
  q: Queryable = db(),
): Promise<{ versions: Version[]; more: boolean }> {
  const found = await runText<RawChange>(q, textOf(page), paramsOf(projectId, page));
  const { rows, taken } = await withHeavy(found.slice(0, page.count), PAGE_BYTES, (heavy) =>
    runText<RawChange>(q, HEAVY, [
      projectId,
      toTextArray(heavy.map(({ type_id }) => String(type_id))),
      toTextArray(heavy.map(({ id }) => id)),
      toTextArray(heavy.map(({ version }) => String(version))),
    ]),
  );
  return {
    versions: rows.map((raw) => ({ ...fromRaw(projectId, typeName(raw.type_id), raw), op: raw.op })),
    more: found.length > taken,
  };
}

export function placeOf({ lastUpdated, type, id, version }: Version): ChangePlace {
  return { lastUpdated: lastUpdated.toISOString(), type: typeId(type), id, version };
}

const COLUMNS = `r.type_id, r.id, r.version, r.op, r.op = 'delete' as deleted, r.last_updated, r.author`;
const ORDER = 'last_updated desc, type_id, id, version';

const HEAVY = `
  select ${COLUMNS}, ${WHOLE_TEXT} from unnest($2::smallint[], $3::text[], $4::int[]) as k(t, i, v)
  join resource_history r on r.project_id = $1::uuid and r.type_id = k.t and r.id = k.i and r.version = k.v`;

/** Of what there is at most of a type; in the text, so that the plan knows it (data.md, planner lesson 13). */
const LIMITS = [21, 201, 1001];

function textOf({ count, at }: ChangesPage): string {
  const limit = LIMITS.find((most) => most > count) ?? 1001;
  return at ? AT[limit]! : ANY[limit]!;
}

const ANY = Object.fromEntries(LIMITS.map((limit) => [limit, changes(limit, '')]));
/**
 * What was current at $10: what came since, and what nothing had replaced by then and is no deletion. By the time of the next version, looked up
 * for each: of a NOT EXISTS PostgreSQL makes a hash of all that there is.
 */
const CURRENT = `and (h.last_updated >= $10::timestamptz or h.op <> 'delete' and coalesce($10::timestamptz < (
        select n.last_updated from resource_history n where n.project_id = $1::uuid and n.type_id = h.type_id and n.id = h.id
          and n.version = h.version + 1), true))`;
const AT = Object.fromEntries(LIMITS.map((limit) => [limit, changes(limit, CURRENT)]));

/**
 * $1 project, $2 types, $3 rows, $4 since, $5 until, $6 to $9 the place; its time bounds the index by itself. First the keys, which the index
 * of each type has in this very order (nulls too, of which there are none), then the rows of those that are shown.
 */
function changes(limit: number, current: string): string {
  return `
  with k as (
    select t.type_id, x.* from unnest($2::smallint[]) as t(type_id) cross join lateral (
      select h.id, h.version, h.last_updated from resource_history h
      where h.project_id = $1::uuid and h.type_id = t.type_id and h.last_updated >= $4::timestamptz and h.last_updated <= $5::timestamptz
        and h.last_updated <= $6::timestamptz and (h.last_updated < $6::timestamptz or (h.type_id, h.id, h.version) > ($7::smallint, $8::text, $9::int)) ${current}
      order by h.last_updated desc nulls last, h.id, h.version limit ${limit}) x
    order by ${ORDER} limit $3::int)
  select ${COLUMNS}, ${LIGHT_ONLY_TEXT} from k
  join resource_history r on r.project_id = $1::uuid and r.type_id = k.type_id and r.id = k.id and r.version = k.version
  order by r.last_updated desc, r.type_id, r.id, r.version`;
}

function paramsOf(projectId: string, { types, count, since, at, after }: ChangesPage): unknown[] {
  const numbers = toTextArray(types.map((type) => String(typeId(type))));
  const place = after ?? { lastUpdated: 'infinity', type: 0, id: '', version: 0 };
  const until = at?.hi.toISOString() ?? 'infinity';
  const from = since?.toISOString() ?? '-infinity';
  const known = [projectId, numbers, count + 1, from, until, place.lastUpdated, place.type, place.id, place.version];
  return at ? [...known, at.lo.toISOString()] : known;
}
