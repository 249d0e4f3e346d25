import { CALL_METHODS, SANDBOX_LIMITS } from './limits.ts';
import { FAILURE_REASONS, type FromRunner, LOG_LEVELS, RESULT_KINDS } from './wire.ts';

/** A line is cut by its process, and says so. */
const LOG_CHARACTERS = SANDBOX_LIMITS.logBytes + 100;
/** More than a process of any size holds: what is said is shown. */
const MOST_ISOLATES = 10_000;
/** What a column of the record holds. */
const MOST_USED = 2 ** 31 - 1;

/**
 * Whether a runner process may have said this. It has looked at everything itself (runner/host.ts), but foreign code ran in it: lengths
 * and names are looked at once more, which costs next to nothing, before anything is kept, parsed or sent on.
 */
export function isSound(message: unknown): message is FromRunner {
  if (!Array.isArray(message)) return false;
  const [type, id, a, b, c, d, e, f] = message as unknown[];
  if (type === 'ready' || type === 'worn') return true;
  if (typeof id !== 'number') return false;
  switch (type) {
    case 'call':
      return typeof a === 'number' && isOf(CALL_METHODS, b) && isText(c, SANDBOX_LIMITS.callBytes);
    case 'abort':
      return typeof a === 'number';
    case 'log':
      return isOf(LOG_LEVELS, a) && isText(b, LOG_CHARACTERS);
    case 'done':
      return (
        isOf(RESULT_KINDS, a) &&
        isText(b, a === 'outcome' ? SANDBOX_LIMITS.outcomeBytes : SANDBOX_LIMITS.resultBytes) &&
        isTaken(c, d)
      );
    case 'failed':
      return isOf(FAILURE_REASONS, a) && isDetail(b, c, d) && isTaken(e, f);
    case 'free':
      return Number.isInteger(a) && (a as number) >= 0 && (a as number) <= MOST_ISOLATES;
    default:
      return type === 'lost';
  }
}

function isDetail(message: unknown, stack: unknown, outcome: unknown): boolean {
  return (
    isText(message, SANDBOX_LIMITS.errorCharacters + 1) &&
    (stack === undefined || isText(stack, SANDBOX_LIMITS.stackCharacters)) &&
    (outcome === undefined || isText(outcome, SANDBOX_LIMITS.outcomeBytes))
  );
}

function isTaken(cpuUs: unknown, heapKb: unknown): boolean {
  return (cpuUs === null || isCount(cpuUs)) && (heapKb === null || isCount(heapKb));
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MOST_USED;
}

function isText(value: unknown, characters: number): boolean {
  return typeof value === 'string' && value.length <= characters;
}

function isOf(names: readonly string[], value: unknown): boolean {
  return (names as readonly unknown[]).includes(value);
}
