import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError } from '#lib/base/errors.ts';

const inside = new AsyncLocalStorage<boolean>();

/**
 * Does the work of a dry run: whatever of it would change something anywhere but in the transaction that is taken back is refused, however
 * deep it stands.
 */
export function whileRehearsing<T>(work: () => T): T {
  return inside.run(true, work);
}

/** Does what stands for itself although a dry run began it. */
export function besideRehearsal<T>(work: () => T): T {
  return inside.run(false, work);
}

export function isRehearsing(): boolean {
  return inside.getStore() === true;
}

/** Throws 422 in a dry run. `what` is a verb with its object. */
export function refuseInRehearsal(what: string): void {
  if (isRehearsing()) throw new AppError('business-rule', `A dry run does not ${what}`);
}

/** What of an error is such a refusal, which Drizzle takes for a fault of the statement; undefined for any other. */
export function refusalIn(error: unknown): AppError | undefined {
  return isRehearsing() && error instanceof Error && error.cause instanceof AppError ? error.cause : undefined;
}

const CHANGES = /\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate)\b/i;
/** Locks are no changes. */
const LOCKS = /\bfor\s+(?:no\s+key\s+)?update\b/gi;

/** Of a statement that commits by itself. */
export function refuseChange(text: string): void {
  if (isRehearsing() && CHANGES.test(text.replace(LOCKS, '')))
    refuseInRehearsal('change what stands outside of its transaction');
}
