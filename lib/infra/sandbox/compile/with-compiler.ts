import { stop } from 'esbuild';

/** The compiler cannot get through this source at all: it is nested too deeply, or too large. */
export class CompilerLost extends Error {}

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs `compile`, which calls esbuild. That compiles everything in one process of its own and does not start another when that one ends.
 * A source that breaks it, or whoever kills it, must cost nobody else a build: what was under way is built again in a new process, one
 * at a time, so that only the source that did it fails. Throws CompilerLost for that one, and esbuild's BuildFailure.
 */
export async function withCompiler<T>(compile: () => Promise<T>): Promise<T> {
  try {
    return await compile();
  } catch (error) {
    if (!isLost(error)) throw error;
  }
  const alone = last.then(() => again(compile));
  last = alone.catch(() => undefined);
  return alone;
}

async function again<T>(compile: () => Promise<T>): Promise<T> {
  await stop();
  try {
    return await compile();
  } catch (error) {
    if (!isLost(error)) throw error;
    await stop();
    throw new CompilerLost('The compiler ended', { cause: error });
  }
}

function isLost(error: unknown): boolean {
  return error instanceof Error && /The service (?:was stopped|is no longer running)|EPIPE/.test(error.message);
}
