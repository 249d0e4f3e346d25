import { SANDBOX_LIMITS } from '../host/limits.ts';
import type { Layouts } from '../wire/layouts.ts';
import type { BundleError } from './bundle-result.ts';

/** `init`: the exports of `@medplum/core`. `build`: a BotProgram. Both JSON. */
export type ToCompiler = ['init', coreNames: string] | ['build', program: string];
/** `refused`: JSON of BundleError[]. */
export type FromCompiler = ['ready'] | ['built', code: string, sourceMap: string] | ['refused', errors: string];

/** As much as a length can say: of what the server itself sends. */
const ANY = { most: 2 ** 32 - 2 };
/** A hundred errors, each with its text, and its file's name. */
const ERRORS = { most: 1024 * 1024 };

export const TO_COMPILER: Layouts<ToCompiler> = { init: [ANY], build: [ANY] };

/** What a process may say is no longer than this, and that is looked at before any of it is kept. */
export const FROM_COMPILER: Layouts<FromCompiler> = {
  ready: [],
  built: [{ most: SANDBOX_LIMITS.bundleBytes }, { most: SANDBOX_LIMITS.sourceMapBytes }],
  refused: [ERRORS],
};

/** As many of them as may be said: what is quoted of a source may be six times as long in JSON. */
export function writeErrors(errors: readonly BundleError[]): string {
  const texts: string[] = [];
  let left = ERRORS.most - 2;
  for (const text of errors.map((error) => JSON.stringify(error))) {
    left -= Buffer.byteLength(text) + 1;
    if (left < 0) break;
    texts.push(text);
  }
  return `[${texts.join(',')}]`;
}

/** What a process says of a source that does not compile; undefined where it is nothing of the kind. */
export function readErrors(text: string): BundleError[] | undefined {
  try {
    const errors: unknown = JSON.parse(text);
    return Array.isArray(errors) && errors.length > 0 && errors.every(isError) ? errors : undefined;
  } catch {
    return undefined;
  }
}

function isError(value: unknown): value is BundleError {
  const { text, file, line, column } = (value ?? {}) as Partial<Record<keyof BundleError, unknown>>;
  return typeof text === 'string' && typeof file === 'string' && Number.isInteger(line) && Number.isInteger(column);
}
