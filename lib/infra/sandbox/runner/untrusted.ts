import { SANDBOX_LIMITS } from '../host/limits.ts';

/** What arrives from a context: a copy of whatever was sent, however the prelude types it. */
export type Argument = unknown;

/** The prelude never sends this. */
export class Breach extends Error {}

/** A string of at most so many characters. */
export function text(value: Argument, characters: number): string {
  if (typeof value !== 'string' || value.length > characters) throw new Breach();
  return value;
}

/** No more than what the Web's functions take at once. */
export function bytes(value: Argument): Uint8Array {
  if (!(value instanceof Uint8Array) || value.byteLength > SANDBOX_LIMITS.webBytes) throw new Breach();
  return value;
}

/** Zero or more; a delay may have a fraction. */
export function count(value: Argument): number {
  if (typeof value !== 'number' || !(value >= 0)) throw new Breach();
  return value;
}

export function oneOf<T extends string>(names: readonly T[], value: Argument): T {
  if (!(names as readonly Argument[]).includes(value)) throw new Breach();
  return value as T;
}
