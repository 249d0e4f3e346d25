import { SANDBOX_LIMITS } from '../host/limits.ts';
import { host } from './host.ts';

const LEVELS = ['log', 'info', 'warn', 'error', 'debug'] as const;
let isFull = false;

/** `console` whose lines go to the run's log, until the log is full. */
export function installConsole(): void {
  const write = (level: string, args: unknown[]) => {
    if (isFull) return;
    // One line more than fits is never needed: the process cuts by bytes and writes the marker.
    const text = args
      .map(toText)
      .join(' ')
      .slice(0, SANDBOX_LIMITS.logBytes + 1);
    isFull = !host('log', level, text);
  };
  const methods = LEVELS.map((level) => [level, (...args: unknown[]) => write(level, args)]);
  Object.defineProperty(globalThis, 'console', {
    value: Object.fromEntries(methods),
    writable: true,
    configurable: true,
  });
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Error) return value.stack ?? String(value);
  if (typeof value === 'function') return `[function ${value.name}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  try {
    return JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner));
  } catch {
    return '[circular object]';
  }
}
