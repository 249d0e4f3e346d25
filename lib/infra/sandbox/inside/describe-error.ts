import { SANDBOX_LIMITS } from '../host/limits.ts';
import { isOperationOutcome, outcomeText } from './outcome-error.ts';
import { head, stringify, toText } from './primordials.ts';

export type ErrorDescription = { message: string; stack?: string; outcome?: string };

/** A thrown value in words. Whatever the bot threw, getters that throw included, this returns. */
export function describeError(error: unknown): ErrorDescription {
  try {
    return inWords(error);
  } catch {
    return { message: 'The bot threw a value that cannot be read' };
  }
}

function inWords(error: unknown): ErrorDescription {
  const outcome = toOutcome(error);
  const found = outcome && stringify(outcome);
  // Cut JSON is no JSON: an outcome that is too long is left out.
  const kept = found && found.length <= SANDBOX_LIMITS.outcomeBytes ? found : undefined;
  const stack = error instanceof Error ? error.stack : undefined;
  return {
    message: cut(toText(outcome ? outcomeText(outcome) : messageOf(error))),
    stack: typeof stack === 'string' ? cut(stack) : undefined,
    outcome: kept,
  };
}

function toOutcome(error: unknown) {
  if (isOperationOutcome(error)) return error;
  const inner = typeof error === 'object' && error !== null && 'outcome' in error ? error.outcome : undefined;
  return isOperationOutcome(inner) ? inner : undefined;
}

function messageOf(error: unknown): string {
  if (error instanceof Error) return toText(error.message) || error.name;
  if (typeof error !== 'object' || error === null) return toText(error);
  return stringify(error) ?? 'The bot threw an object';
}

function cut(text: string): string {
  return text.length > SANDBOX_LIMITS.errorCharacters ? `${head(text, SANDBOX_LIMITS.errorCharacters)}…` : text;
}
