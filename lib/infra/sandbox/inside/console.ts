import { SANDBOX_LIMITS } from '../host/limits.ts';
import { LOG_LEVELS } from '../host/wire.ts';
import { host } from './host.ts';
import { head, stringify, toText as textOf } from './primordials.ts';

const { logBytes } = SANDBOX_LIMITS;
let isFull = false;

/** `console` whose lines go to the run's log, until the log is full. */
export function installConsole(): void {
  const write = (level: string, args: unknown[]) => {
    if (isFull) return;
    // One line more than fits is never needed: the process cuts by bytes and writes the marker.
    let text = '';
    for (let index = 0; index < args.length && text.length <= logBytes; index += 1)
      text += (index > 0 ? ' ' : '') + toText(args[index]);
    isFull = !host('log', level, head(text, logBytes + 1));
  };
  const methods = LOG_LEVELS.map((level) => [level, (...args: unknown[]) => write(level, args)]);
  Object.defineProperty(globalThis, 'console', {
    value: Object.fromEntries(methods),
    writable: true,
    configurable: true,
  });
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Error) return textOf(value.stack ?? value);
  if (typeof value === 'function') return `[function ${value.name}]`;
  if (typeof value !== 'object' || value === null) return textOf(value);
  try {
    return textOf(stringify(value, (_, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner)));
  } catch {
    return '[circular object]';
  }
}
