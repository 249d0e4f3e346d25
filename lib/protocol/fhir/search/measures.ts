import type { NumberRange } from '../index/decimals.ts';
import type { QuantityEntry } from '../index/extract-quantities.ts';

/** What one entry of ix_quantity must be: all that is given holds (extract-quantities.ts says what an entry has). */
export type QuantityMatch = {
  key?: bigint;
  tags: bigint[];
  range: NumberRange;
  base?: bigint;
  baseRange?: NumberRange;
};
/** On Earth: degrees, and kilometres around them. */
export type Circle = { latitude: number; longitude: number; km: number };

/** Kilometres. */
export const EARTH_RADIUS = 6371.0088;

/** Whether an entry of ix_quantity is one of these. */
export function fits(entry: QuantityEntry, anyOf: QuantityMatch[]): boolean {
  return anyOf.some(({ key, tags, range, base, baseRange }) => {
    if (key !== undefined && key !== entry.key) return false;
    if (base !== undefined && base !== entry.base) return false;
    if (!tags.every((tag) => entry.tags.includes(tag)) || !inRange(entry.lo, entry.hi, range)) return false;
    return (
      !baseRange || (entry.baseLo !== null && entry.baseHi !== null && inRange(entry.baseLo, entry.baseHi, baseRange))
    );
  });
}

/** Whether the place of an entry lies within one of the circles, by the haversine formula. */
export function isWithinCircle({ lo, baseLo }: QuantityEntry, anyOf: Circle[]): boolean {
  return baseLo !== null && anyOf.some((circle) => haversine(circle, lo, baseLo) <= maxHaversine(circle));
}

/** The haversine of the distance that is still within. */
export function maxHaversine({ km }: Circle): number {
  return Math.sin(Math.min(km / (2 * EARTH_RADIUS), Math.PI / 2)) ** 2;
}

function haversine({ latitude, longitude }: Circle, otherLatitude: number, otherLongitude: number): number {
  const across = Math.sin(radians(otherLatitude - latitude) / 2) ** 2;
  const along = Math.sin(radians(otherLongitude - longitude) / 2) ** 2;
  return across + Math.cos(radians(latitude)) * Math.cos(radians(otherLatitude)) * along;
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

function inRange(lo: number, hi: number, { loMin, loMax, hiMin, hiMax }: NumberRange): boolean {
  return (
    (loMin === undefined || lo >= loMin) &&
    (loMax === undefined || lo <= loMax) &&
    (hiMin === undefined || hi >= hiMin) &&
    (hiMax === undefined || hi <= hiMax)
  );
}
