import { numberOf } from '../../json/json.ts';
import { above, below } from './decimals.ts';
import { CURRENCIES, toBase, UCUM, type Unit, unitInResource, unitTag } from './units.ts';

/**
 * A number or range of numbers, as it is ordered: ends inclusive, infinite where there is none. `key` and `tags` are what else must hold of the
 * same element: of a composite its code, of a quantity its unit. `base` names the dimension in which `baseLo` and `baseHi` are; of two
 * numbers that belong together (places on a sequence or on Earth) these are the second.
 */
export type QuantityEntry = {
  param: number;
  key: bigint;
  tags: bigint[];
  lo: number;
  hi: number;
  base: bigint | null;
  baseLo: number | null;
  baseHi: number | null;
};

/** An entry without its parameter. */
export type Measure = Pick<QuantityEntry, 'tags' | 'lo' | 'hi' | 'base' | 'baseLo' | 'baseHi'>;

/** `base` of a second number. */
const SECOND = 1n;

type Quantity = { value?: unknown; comparator?: unknown; unit?: unknown; system?: unknown; code?: unknown };
type Stated = { lo: number; hi: number; of: Quantity };

/** What a number or a quantity measures, in whichever form the type has it. */
export function extractMeasures(type: string, value: unknown): Measure[] {
  const number = numberOf(value);
  if (number !== undefined) return [plain(number, number)];
  if (typeof value !== 'object' || value === null) return [];
  const stated = statedOf(type, value);
  return stated ? [measureOf(stated)] : [];
}

/** A number, or two, without a unit. */
export function plain(lo: number, hi: number, second?: { lo: number; hi: number }): Measure {
  const [base, baseLo, baseHi] = second ? [SECOND, second.lo, second.hi] : [null, null, null];
  return { tags: [], lo, hi, base, baseLo, baseHi };
}

function statedOf(type: string, value: object): Stated | undefined {
  if (type === 'Range') return range(value);
  if (type === 'SampledData') return samples(value);
  const { currency } = value as { currency?: unknown };
  return type === 'Money' ? one({ ...value, system: CURRENCIES, code: currency }) : one(value);
}

/** `<5` is somewhere below, and not at 5. */
function one(of: Quantity): Stated | undefined {
  const value = numberOf(of.value);
  if (value === undefined || !Number.isFinite(value)) return undefined;
  switch (of.comparator) {
    case '<':
      return { lo: Number.NEGATIVE_INFINITY, hi: below(value), of };
    case '<=':
      return { lo: Number.NEGATIVE_INFINITY, hi: value, of };
    case '>':
      return { lo: above(value), hi: Number.POSITIVE_INFINITY, of };
    case '>=':
      return { lo: value, hi: Number.POSITIVE_INFINITY, of };
    default:
      return { lo: value, hi: value, of };
  }
}

function range({ low, high }: { low?: Quantity; high?: Quantity }): Stated | undefined {
  const [lo, hi] = [numberOf(low?.value), numberOf(high?.value)];
  if (lo === undefined && hi === undefined) return undefined;
  return ordered(lo ?? Number.NEGATIVE_INFINITY, hi ?? Number.POSITIVE_INFINITY, low ?? high ?? {});
}

type SampledData = { origin?: Quantity; factor?: unknown; data?: unknown; lowerLimit?: unknown; upperLimit?: unknown };

/** From the smallest to the largest of the samples; `L` and `U` are beyond what the device could measure (R4 datatypes §2.24.0.8). */
function samples({ origin, factor, data, lowerLimit, upperLimit }: SampledData): Stated | undefined {
  const zero = numberOf(origin?.value);
  if (zero === undefined || typeof data !== 'string') return undefined;
  const limits: Record<string, number | undefined> = { L: numberOf(lowerLimit), U: numberOf(upperLimit) };
  let [lo, hi] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [word] of data.matchAll(/\S+/g)) {
    const sample = word in limits ? limits[word] : Number(word);
    if (sample === undefined || Number.isNaN(sample)) continue;
    lo = Math.min(lo, sample);
    hi = Math.max(hi, sample);
  }
  if (lo > hi) return undefined;
  const at = (sample: number) => zero + sample * (numberOf(factor) ?? 1);
  return ordered(at(lo), at(hi), origin ?? {});
}

function ordered(a: number, b: number, of: Quantity): Stated {
  return { lo: Math.min(a, b), hi: Math.max(a, b), of };
}

function measureOf({ lo, hi, of: { unit, system, code } }: Stated): Measure {
  const [name, label, by] = [code, unit, system].map((text) => (typeof text === 'string' ? text : undefined));
  const tags = [name, label].flatMap((text) => (text === undefined ? [] : [unitTag('code', text)]));
  if (name !== undefined && by !== undefined) tags.push(unitTag('system-code', by, name));
  const known: Unit | undefined = name !== undefined && by === UCUM ? unitInResource(name) : undefined;
  const baseLo = known ? toBase(known, lo) : null;
  return {
    tags: [...new Set(tags)],
    lo,
    hi,
    base: known?.base ?? null,
    baseLo,
    baseHi: known ? (hi === lo ? baseLo : toBase(known, hi)) : null,
  };
}

/** Of an element with a latitude and a longitude, in degrees. */
export function extractPlaces(value: unknown): Measure[] {
  const { latitude, longitude } = (value ?? {}) as { latitude?: unknown; longitude?: unknown };
  const [lat, long] = [numberOf(latitude), numberOf(longitude)];
  return lat === undefined || long === undefined ? [] : [plain(lat, lat, { lo: long, hi: long })];
}
