import { type SQL, sql } from 'drizzle-orm';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import type { NumberRange } from '#lib/protocol/fhir/index/decimals.ts';
import type { Expr } from '#lib/protocol/fhir/search/ir.ts';
import { type Circle, EARTH_RADIUS, maxHaversine, type QuantityMatch } from '#lib/protocol/fhir/search/measures.ts';

// The twins of `fits` and `isWithinCircle` (lib/protocol/fhir/search/measures.ts), over the row `q` of ix_quantity. Of several values there is
// one text, however many they are (compile-filter.ts).

type Of<Op extends Expr['op']> = Extract<Expr, { op: Op }>;

/** What the row must be; its parameter is asked by whom this is for. */
export function measures({ anyOf }: Pick<Of<'quantity'>, 'anyOf'>): SQL {
  const [only] = anyOf;
  if (!only) return sql.raw('false');
  return anyOf.length === 1 ? one(only) : several(anyOf);
}

function one({ key, tags, range, base, baseRange }: QuantityMatch): SQL {
  return all([
    ...(key === undefined ? [] : [sql`q.key = ${String(key)}::bigint`]),
    ...(base === undefined ? [] : [sql`q.base = ${String(base)}::bigint`]),
    ...(tags.length === 0 ? [] : [sql`q.tags @> ${`{${tags.join(',')}}`}::bigint[]`]),
    ...bounds('q.lo', 'q.hi', range),
    ...(baseRange ? [sql.raw('q.base is not null'), ...bounds('q.base_lo', 'q.base_hi', baseRange)] : []),
  ]);
}

function several(anyOf: QuantityMatch[]): SQL {
  const keys = anyOf.flatMap(({ key }) => key ?? []);
  const column = (of: (match: QuantityMatch) => string | null) => toTextArray(anyOf.map(of));
  const end = (of: (match: QuantityMatch) => number | undefined, open: string) =>
    column((match) => String(of(match) ?? open));
  const ends = (of: (match: QuantityMatch) => NumberRange | undefined): SQL[] => [
    sql`${end((match) => of(match)?.loMin, '-Infinity')}::float8[]`,
    sql`${end((match) => of(match)?.loMax, 'Infinity')}::float8[]`,
    sql`${end((match) => of(match)?.hiMin, '-Infinity')}::float8[]`,
    sql`${end((match) => of(match)?.hiMax, 'Infinity')}::float8[]`,
  ];
  const columns = [
    sql`${column(({ key }) => (key === undefined ? null : String(key)))}::bigint[]`,
    sql`${column(({ tags }) => `{${tags.join(',')}}`)}::text[]`,
    sql`${column(({ base }) => (base === undefined ? null : String(base)))}::bigint[]`,
    sql`${column(({ baseRange }) => String(baseRange !== undefined))}::boolean[]`,
    ...ends(({ range }) => range),
    ...ends(({ baseRange }) => baseRange),
  ];
  const fits = sql`exists (select from unnest(${sql.join(columns, sql.raw(', '))})
      v(key, tags, base, second, lo_min, lo_max, hi_min, hi_max, base_lo_min, base_lo_max, base_hi_min, base_hi_max)
    where (v.key is null or q.key = v.key) and q.tags @> v.tags::bigint[] and (v.base is null or q.base = v.base)
      and q.lo between v.lo_min and v.lo_max and q.hi between v.hi_min and v.hi_max
      and (not v.second or (q.base_lo between v.base_lo_min and v.base_lo_max and q.base_hi between v.base_hi_min and v.base_hi_max)))`;
  return keys.length === anyOf.length ? sql`q.key = any(${`{${keys.join(',')}}`}::bigint[]) and ${fits}` : fits;
}

/** A box first, for which there is an index; at the ends of the map it has no sides. */
export function places({ anyOf }: Pick<Of<'near'>, 'anyOf'>): SQL {
  const column = (of: (circle: Circle) => number) => sql`${`{${anyOf.map(of).join(',')}}`}::float8[]`;
  const margin = ({ km }: Circle) => (km / EARTH_RADIUS) * (180 / Math.PI) * 1.001 + 1e-9;
  const least = Math.min(...anyOf.map((circle) => circle.latitude - margin(circle)));
  const most = Math.max(...anyOf.map((circle) => circle.latitude + margin(circle)));
  const columns = [({ latitude }: Circle) => latitude, ({ longitude }: Circle) => longitude, maxHaversine].map(column);
  return sql`q.key = 0 and q.lo >= ${least}::float8 and q.lo <= ${most}::float8
    and exists (select from unnest(${sql.join(columns, sql.raw(', '))}) v(lat, long, most)
      where sin(radians(q.lo - v.lat) / 2) ^ 2 + cos(radians(v.lat)) * cos(radians(q.lo)) * sin(radians(q.base_lo - v.long) / 2) ^ 2 <= v.most)`;
}

/** Each in terms of which an index knows where to begin: what ends below begins below, and what ends beyond begins there or is a range. */
function bounds(low: string, high: string, { loMin, loMax, hiMin, hiMax }: NumberRange): SQL[] {
  const [lo, hi] = [sql.raw(low), sql.raw(high)];
  const most = Math.min(loMax ?? Number.POSITIVE_INFINITY, hiMax ?? Number.POSITIVE_INFINITY);
  return [
    ...(loMin === undefined ? [] : [sql`${lo} >= ${String(loMin)}::float8`]),
    ...(loMax === undefined && hiMax === undefined ? [] : [sql`${lo} <= ${String(most)}::float8`]),
    ...(hiMax === undefined ? [] : [sql`${hi} <= ${String(hiMax)}::float8`]),
    ...(hiMin === undefined
      ? []
      : [sql`(${lo} >= ${String(hiMin)}::float8 or (${hi} > ${lo} and ${hi} >= ${String(hiMin)}::float8))`]),
  ];
}

function all(parts: SQL[]): SQL {
  return parts.length === 0 ? sql.raw('true') : sql.join(parts, sql.raw(' and '));
}
