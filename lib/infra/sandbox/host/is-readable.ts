import { jsonShape } from '../runner/json-shape.ts';
import { isValidOutcome } from '../runner/valid-outcome.ts';
import { SANDBOX_LIMITS } from './limits.ts';
import type { ResultKind } from './wire.ts';

/**
 * Whether what a process sends is as short to read as it says: its own look at it (runner/) is nothing to go by when somebody else speaks for it.
 * What the server parses is measured once more, in one pass and without building anything; an outcome, which is short, is looked at.
 */
export function isReadable(kind: ResultKind | 'call', text: string): boolean {
  switch (kind) {
    case 'call':
      return isShort(text, SANDBOX_LIMITS.callValues);
    // Beside its data there is so much text at most, and each value has a character.
    case 'binary':
      return isShort(text, SANDBOX_LIMITS.outcomeBytes) && isObject(text);
    case 'outcome':
      return isShort(text, SANDBOX_LIMITS.outcomeBytes) && isValidOutcome(parse(text));
    case 'number':
      return Number.isFinite(Number(text));
    case 'boolean':
      return text === 'true' || text === 'false';
    default:
      return true;
  }
}

function isShort(text: string, mostValues: number): boolean {
  const { depth, values } = jsonShape(text);
  return depth <= SANDBOX_LIMITS.jsonDepth && values <= mostValues;
}

function isObject(text: string): boolean {
  const value = parse(text);
  return typeof value === 'object' && value !== null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
