import { AppError } from '#lib/base/errors.ts';
import type { FoundSystem } from './find-concept.ts';

/** The system that is looked for, where the caller knows of it. */
export async function systemIfKnown(finding: Promise<FoundSystem>): Promise<FoundSystem | undefined> {
  try {
    return await finding;
  } catch (error) {
    if (error instanceof AppError && (error.code === 'not-found' || error.code === 'forbidden')) return undefined;
    throw error;
  }
}

/** Whether case is nothing to its codes; where it is not known to the caller, it is something. */
export async function isFolding(finding: Promise<FoundSystem>): Promise<boolean> {
  const found = await systemIfKnown(finding);
  return found !== undefined && 'folds' in found && found.folds;
}
