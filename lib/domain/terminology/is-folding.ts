import { AppError } from '#lib/base/errors.ts';
import type { FoundSystem } from './find-concept.ts';

/** Whether case is nothing to the codes of a system that is looked for; where that is not known to the caller, it is something. */
export async function isFolding(finding: Promise<FoundSystem>): Promise<boolean> {
  try {
    const found = await finding;
    return 'folds' in found && found.folds;
  } catch (error) {
    if (error instanceof AppError && (error.code === 'not-found' || error.code === 'forbidden')) return false;
    throw error;
  }
}
