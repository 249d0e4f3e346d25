import { stop } from 'esbuild';

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs `compile`, which calls esbuild in this process, for sources of ours alone. esbuild has one process of its own and does not start another when
 * that one ends: what was under way is built again in a new one, one at a time.
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
  return compile();
}

function isLost(error: unknown): boolean {
  return error instanceof Error && /The service (?:was stopped|is no longer running)|EPIPE/.test(error.message);
}
