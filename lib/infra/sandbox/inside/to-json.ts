import { isFiniteNumber, Moment, stringify } from './primordials.ts';

/**
 * The JSON of a value, of which nothing is lost without a word: JSON.stringify makes null of NaN, the infinities and a Date
 * that is none; this throws.
 */
export function toJson(value: unknown): string {
  const text = stringify(value);
  if (text === undefined) throw new TypeError('The value has no JSON form');
  // Only what has a null can have lost one: a second look at each value costs as much as the first.
  if (/\bnull\b/.test(text)) stringify(value, refuseNaN);
  return text;
}

function refuseNaN(this: Record<string, unknown>, key: string, value: unknown): unknown {
  if (value === null && this[key] instanceof Moment)
    throw new TypeError(`An invalid Date has no JSON form${key && ` (${key})`}`);
  if (typeof value !== 'number' || isFiniteNumber(value)) return value;
  throw new TypeError(`${value} has no JSON form${key && ` (${key})`}`);
}
