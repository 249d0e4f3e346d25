import type { Ctx, Write } from '../access/context.ts';
import { write } from '../audit/write.ts';

/** Carries a result out of a transaction that turned out to have nothing to write. */
class Settled extends Error {
  readonly value: unknown;

  constructor(value: unknown) {
    super('settled');
    this.value = value;
  }
}

/**
 * As `write`, for changes that may find everything as it should be already: `settle(value)` ends the transaction without an
 * audit row and makes `value` the result.
 */
export async function writeOrSettle<T>(
  ctx: Ctx,
  run: (w: Write, ctx: Ctx & { write: Write }, settle: (value: T) => never) => Promise<T>,
): Promise<T> {
  const settle = (value: T): never => {
    throw new Settled(value);
  };
  try {
    return await write(ctx, (w, inner) => run(w, inner, settle));
  } catch (error) {
    if (error instanceof Settled) return error.value as T;
    throw error;
  }
}
