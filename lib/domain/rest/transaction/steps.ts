import { AppError } from '#lib/base/errors.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import type { Row } from '../../store/row.ts';
import type { Preconditions } from '../preconditions.ts';
import type { Written } from '../written.ts';

/** An entry of a transaction, as what it is to do. */
export type Step = {
  index: number;
  verb: 'create' | 'update' | 'patch' | 'delete' | 'read';
  /** '' for what is read of all types. */
  type: string;
  /** Of an update, patch or delete; absent where a condition says which. */
  id?: string;
  /** Which one is meant, or of a create: which must not be there. */
  condition?: string;
  fullUrl?: string;
  resource?: Resource;
  given: Preconditions;
};

/**
 * What a step is about, once its condition is resolved: one that is there, one with a new id, or where nothing matches one under the id that the
 * body says (`isChosen`).
 */
export type Target = { id: string | undefined; row?: Row; isNew?: true; isChosen?: true };

/** What it came to. `alone`: as its verb answers by itself. */
export type Outcome<R> = { written: Written } | { deleted: true } | { alone: R };

/** The error as that of the entry. */
export class StepError extends Error {
  readonly index: number;
  readonly error: unknown;

  constructor(index: number, error: unknown) {
    super('step', { cause: error });
    this.index = index;
    this.error = error;
  }
}

/** Says of what fails which entry it was. */
export async function atStep<T>(index: number, run: () => Promise<T> | T): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof AppError ? new StepError(index, error) : error;
  }
}
