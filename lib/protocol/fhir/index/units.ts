import { createRequire } from 'node:module';
import { LRUCache } from 'lru-cache';
import { AppError } from '#lib/base/errors.ts';
import { tokenHash } from './tokens.ts';

export const UCUM = 'http://unitsofmeasure.org';
export const CURRENCIES = 'urn:iso:std:iso:4217';

type Ucum = {
  UcumLhcUtils: {
    getInstance(): {
      convertToBaseUnits(
        unit: string,
        value: number,
      ): { status: string; magnitude?: number; unitToExp?: Record<string, number> };
    };
  };
};

/** What a unit is in UCUM's base units: the value times `factor`, and then `offset` more. `base` names the dimension. */
export type Unit = { base: bigint; factor: number; offset: number };

/** Characters of a code: what people measure in has far fewer, and to read one takes time. */
const MAX_CODE = 60;
const MAX_KNOWN = 5000;
/** Of a canonical value: what is left of a double after a few multiplications. */
const DIGITS = 12;
const known = new LRUCache<string, { unit: Unit | undefined }>({ max: MAX_KNOWN });
const tags = new LRUCache<string, bigint>({ max: MAX_KNOWN });
const require = createRequire(import.meta.url);
let ucum: Ucum | undefined;

/** A UCUM code, as its base units have it; undefined for what UCUM does not know, and for scales that are no line (pH, dB). */
export function unitOf(code: string): Unit | undefined {
  if (code === '' || code.length > MAX_CODE) return undefined;
  let found = known.get(code);
  if (!found) {
    found = { unit: read(code) };
    known.set(code, found);
  }
  return found.unit;
}

/** Different units of one resource: each that nobody has used before is read for up to a millisecond. */
const MAX_UNITS = 200;
let unitsOfResource = new Set<string>();

/** Before a resource is indexed. */
export function beginResource(): void {
  if (unitsOfResource.size > 0) unitsOfResource = new Set();
}

/** As `unitOf`, of the resource that is being indexed. Throws AppError too-costly (400) for more units than that may have. */
export function unitInResource(code: string): Unit | undefined {
  unitsOfResource.add(code);
  if (unitsOfResource.size <= MAX_UNITS) return unitOf(code);
  throw new AppError('too-costly', `A resource has at most ${MAX_UNITS} different units`);
}

/** A value in base units. The same quantity in any unit gives the same number. */
export function toBase({ factor, offset }: Unit, value: number): number {
  return Number.isFinite(value) ? Number((value * factor + offset).toPrecision(DIGITS)) : value;
}

/** What an entry says of the unit it was given in. `code`: the code, or the unit as people read it. */
export function unitTag(kind: 'code' | 'system-code', ...parts: string[]): bigint {
  const text = JSON.stringify([kind, ...parts]);
  let tag = tags.get(text);
  if (tag === undefined) {
    tag = tokenHash('unit', kind, ...parts);
    tags.set(text, tag);
  }
  return tag;
}

function read(code: string): Unit | undefined {
  const [at0, at1, at2] = [0, 1, 2].map((value) => convert(code, value));
  if (!at0 || !at1 || !at2) return undefined;
  const factor = at1.magnitude - at0.magnitude;
  const bend = at2.magnitude - at1.magnitude - factor;
  if (!(factor > 0) || Math.abs(bend) > factor * 1e-9) return undefined;
  return { base: tokenHash('base-units', at1.dimension), factor, offset: at0.magnitude };
}

function convert(code: string, value: number): { magnitude: number; dimension: string } | undefined {
  const { status, magnitude, unitToExp } = load().convertToBaseUnits(code, value);
  if (status !== 'succeeded' || magnitude === undefined || !Number.isFinite(magnitude)) return undefined;
  const exponents = Object.entries(unitToExp ?? {}).filter(([, exponent]) => exponent !== 0);
  return { magnitude, dimension: JSON.stringify(exponents.toSorted(([a], [b]) => (a < b ? -1 : 1))) };
}

/** Only who has quantities needs it: 26 ms and 4 MB (measured). */
function load() {
  ucum ??= require(require.resolve('@lhncbc/ucum-lhc')) as Ucum;
  return ucum.UcumLhcUtils.getInstance();
}
