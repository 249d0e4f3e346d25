/** Bounds on the low and the high end of an indexed range of numbers, all inclusive; those that are given must hold. */
export type NumberRange = { loMin?: number; loMax?: number; hiMin?: number; hiMax?: number };

/** A number as somebody wrote it: its value, and what else is the same to as many digits: `lo` up to `hi`, without `hi` itself. */
export type Decimal = { value: number; lo: number; hi: number };

const DECIMAL = /^([+-]?)(\d{1,60})(?:\.(\d{1,60}))?(?:[eE]([+-]?\d{1,3}))?$/;
/** An exponent is written to tell how many digits count; `1e2` has two of them all the same: 95 to 105 (R4 search §3.1.1.4.6). */
const LEAST_DIGITS = 2;

/** Reads a number with the precision that it is written with; undefined when it is none, or too large for a double. */
export function parseDecimal(text: string): Decimal | undefined {
  const match = DECIMAL.exec(text);
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent] = match;
  let digits = BigInt(whole + fraction);
  let scale = fraction.length - Number(exponent ?? 0);
  if (exponent !== undefined && String(digits).length < LEAST_DIGITS) {
    digits *= 10n;
    scale += 1;
  }
  if (sign === '-') digits = -digits;
  const at = (tenths: bigint) => Number(`${digits * 10n + tenths}e${-(scale + 1)}`);
  const found = { value: Number(text), lo: at(-5n), hi: at(5n) };
  return Object.values(found).every(Number.isFinite) ? found : undefined;
}

const double = new Float64Array(1);
const bits = new BigInt64Array(double.buffer);

/** The next larger double. */
export function above(value: number): number {
  if (!Number.isFinite(value)) return value;
  if (value === 0) return Number.MIN_VALUE;
  double[0] = value;
  bits[0]! += value > 0 ? 1n : -1n;
  return double[0];
}

/** The next smaller double. */
export function below(value: number): number {
  return -above(-value);
}
