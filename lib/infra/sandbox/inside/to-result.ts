import { SANDBOX_LIMITS } from '../host/limits.ts';
import { loadedClient } from './client/load-client.ts';
import { loadedExtras } from './load-extras.ts';
import { parse, toText as textOf } from './primordials.ts';
import { toJson } from './to-json.ts';

/** What a bot returned, as text that can leave. Throws for what has no faithful text: functions, symbols, BigInt, NaN, cycles, too much. */
export function toResult(value: unknown): { kind: string; text: string } {
  const result = toText(value);
  // UTF-8 never has fewer bytes than UTF-16 has units; the process counts the bytes.
  if (result.text.length > SANDBOX_LIMITS.resultBytes) throw new Error('The result is larger than 6 MiB');
  return result;
}

function toText(value: unknown): { kind: string; text: string } {
  if (value === undefined) return { kind: 'undefined', text: '' };
  if (value === null) return { kind: 'null', text: '' };
  if (typeof value === 'string') return { kind: 'string', text: value };
  if (typeof value === 'number' || typeof value === 'boolean') return { kind: typeof value, text: textOf(value) };
  if (isHl7(value)) return { kind: 'hl7', text: textOf(value) };
  if (typeof value !== 'object') throw new TypeError(`A bot cannot return a ${typeof value}`);
  const text = toJson(value);
  // What says by toJSON that it is something simple is answered as that: a Date as its ISO text.
  return text[0] === '{' || text[0] === '[' ? { kind: 'json', text } : toText(parse(text));
}

function isHl7(value: unknown): boolean {
  const classes = [loadedExtras()?.Hl7Message, loadedClient()?.loadedCore()?.Hl7Message];
  return classes.some((one) => one !== undefined && value instanceof one);
}
