import { SANDBOX_LIMITS } from '../host/limits.ts';
import type { ResultKind, ValueKind } from '../host/wire.ts';
import { jsonShape } from './json-shape.ts';
import { fitsOutcome, isValidOutcome } from './valid-outcome.ts';

export type Result = { kind: ResultKind; text: string };

/** Why a value cannot be an answer, in words for its author. */
export class Unserializable extends Error {}

/**
 * A bot's value as it leaves the process: measured and, since the server does not parse it, parsed here. Throws Unserializable for what
 * is too large, too deep, no JSON, no number, or no valid OperationOutcome though it says so.
 */
export function toResult(kind: ValueKind, text: string): Result {
  if (Buffer.byteLength(text) > SANDBOX_LIMITS.resultBytes) throw new Unserializable('The result is larger than 6 MiB');
  switch (kind) {
    case 'undefined':
    case 'null':
      return { kind, text: '' };
    case 'number':
      return { kind, text: finite(text) };
    case 'boolean':
      return { kind, text: text === 'true' ? 'true' : 'false' };
    case 'json':
      return { kind: kindOfJson(text), text };
    case 'string':
      return { kind: isJson(text) ? 'json-string' : kind, text };
    case 'hl7':
      return { kind, text };
  }
}

function finite(text: string): string {
  const value = Number(text);
  if (!Number.isFinite(value)) throw new Unserializable(`The bot returned ${value}, which has no JSON form`);
  return String(value);
}

function kindOfJson(text: string): ResultKind {
  const value = parse(text);
  const { resourceType } = value as { resourceType?: unknown };
  if (resourceType === 'OperationOutcome') return outcome(value, text);
  return resourceType === 'Binary' && isMostlyData(value as { data?: unknown }, text) ? 'binary' : 'json';
}

function parse(text: string): object {
  const { depth } = jsonShape(text);
  if (depth > SANDBOX_LIMITS.jsonDepth)
    throw new Unserializable(`The result is nested more than ${SANDBOX_LIMITS.jsonDepth} levels deep`);
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {}
  throw new Unserializable('The result cannot be read');
}

function outcome(value: object, text: string): ResultKind {
  if (!fitsOutcome(text)) throw new Unserializable('The OperationOutcome that the bot returned is larger than 256 KiB');
  if (isValidOutcome(value)) return 'outcome';
  throw new Unserializable(
    'The OperationOutcome that the bot returned is not valid: it needs issues, each with severity and code',
  );
}

/** One long string is read at once, however long. */
function isMostlyData({ data }: { data?: unknown }, text: string): boolean {
  return text.length - (typeof data === 'string' ? data.length : 0) <= SANDBOX_LIMITS.outcomeBytes;
}

function isJson(text: string): boolean {
  if (jsonShape(text).depth > SANDBOX_LIMITS.jsonDepth) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
