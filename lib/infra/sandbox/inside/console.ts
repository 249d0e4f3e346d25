import { SANDBOX_LIMITS } from '../host/limits.ts';
import { LOG_LEVELS } from '../host/wire.ts';
import { host } from './host.ts';
import { head, Moment, stringify, toText as textOf } from './primordials.ts';

const { logBytes } = SANDBOX_LIMITS;
let isFull = false;

const counts: { [label: string]: number } = Object.create(null);
const starts: { [label: string]: number } = Object.create(null);

/** `console` (https://console.spec.whatwg.org) whose lines go to the run's log, until the log is full. */
export function createConsole(): object {
  const made: { [name: string]: unknown } = createOthers();
  for (let at = 0; at < LOG_LEVELS.length; at += 1) {
    const level = LOG_LEVELS[at]!;
    made[level] = (...args: unknown[]) => write(level, args);
  }
  return made;
}

/** What is another way to write a line, or has no place in a log. */
const createOthers = () => ({
  assert: (holds?: unknown, ...args: unknown[]) => holds || write('error', ['Assertion failed', ...args]),
  count: (label = 'default') => {
    counts[label] = (counts[label] ?? 0) + 1;
    write('log', [`${label}: ${counts[label]}`]);
  },
  countReset: (label = 'default') => {
    delete counts[label];
  },
  dir: (value?: unknown) => write('log', [value]),
  group: (...args: unknown[]) => args.length > 0 && write('log', args),
  groupCollapsed: (...args: unknown[]) => args.length > 0 && write('log', args),
  groupEnd: () => undefined,
  table: (rows?: unknown) => write('log', [rows]),
  time: (label = 'default') => {
    starts[label] = Moment.now();
  },
  timeEnd: (label = 'default') => {
    tellTime(label, []);
    delete starts[label];
  },
  timeLog: (label = 'default', ...args: unknown[]) => tellTime(label, args),
  trace: (...args: unknown[]) => write('debug', ['Trace', ...args]),
});

function tellTime(label: string, args: unknown[]): void {
  const start = starts[label];
  if (start === undefined) write('warn', [`Timer '${label}' does not exist`]);
  else write('log', [`${label}: ${Moment.now() - start} ms`, ...args]);
}

function write(level: string, all: unknown[]): void {
  if (isFull) return;
  const args = typeof all[0] === 'string' && all.length > 1 ? formatted(all[0], all) : all;
  // One line more than fits is never needed: the process cuts by bytes and writes the marker.
  let text = '';
  for (let index = 0; index < args.length && text.length <= logBytes; index += 1)
    text += (index > 0 ? ' ' : '') + toText(args[index]);
  isFull = !host('log', level, head(text, logBytes + 1));
}

/** https://console.spec.whatwg.org/#formatter: what the first says where the others stand, and the rest of them behind it. */
function formatted(format: string, all: unknown[]): unknown[] {
  let next = 1;
  const text = format.replace(/%[sdifjoOc%]/g, (what) => {
    if (what === '%%') return '%';
    if (next >= all.length) return what;
    const value = all[next];
    next += 1;
    if (what === '%c') return '';
    if (what === '%d' || what === '%f') return textOf(Number(value));
    if (what === '%i') return textOf(Math.trunc(Number(value)));
    return toText(value);
  });
  return [text, ...all.slice(next)];
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Error) return textOf(value.stack ?? value);
  if (typeof value === 'function') return `[function ${value.name}]`;
  if (typeof value !== 'object' || value === null) return textOf(value);
  try {
    return textOf(stringify(value instanceof Map || value instanceof Set ? [...value] : value, readable));
  } catch {
    return '[circular object]';
  }
}

/** Of what JSON has no word for. */
function readable(_: string, inner: unknown): unknown {
  if (typeof inner === 'bigint') return `${inner}n`;
  if (inner instanceof Error) return inner.cause === undefined ? textOf(inner) : [textOf(inner), inner.cause];
  return inner instanceof Map || inner instanceof Set ? [...inner] : inner;
}
