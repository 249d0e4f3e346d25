import { LOG_LEVELS } from '../../host/wire.ts';
import { host } from '../host.ts';
import { stringify, toText as textOf } from '../primordials.ts';
import { loadInspect } from './load-inspect.ts';
import { isLogFull, writeLine } from './log.ts';

/**
 * `console`, whose lines go to the run's log as Node writes them (https://nodejs.org/api/console.html), but for what JSON tells all of, until the log is full. All in one function: what
 * stands in the snapshot by itself is copied into every context (globals.ts).
 */
export function createConsole(): object {
  const counts: { [label: string]: number } = Object.create(null);
  const starts: { [label: string]: number } = Object.create(null);
  let margin = '';
  // What is another way to write a line, or has no place in a log.
  const made: { [name: string]: unknown } = {
    assert: (holds?: unknown, ...args: unknown[]) => {
      if (holds) return;
      if (args.length > 0 && typeof args[0] !== 'string') args.unshift('Assertion failed');
      else args[0] = args.length === 0 ? 'Assertion failed' : `Assertion failed: ${args[0]}`;
      write('error', args);
    },
    clear: () => undefined,
    count: (label: unknown = 'default') => {
      const name = textOf(label);
      counts[name] = (counts[name] ?? 0) + 1;
      write('log', [`${name}: ${counts[name]}`]);
    },
    countReset: (label: unknown = 'default') => {
      const name = textOf(label);
      if (counts[name] === undefined) write('warn', [`Warning: Count for '${name}' does not exist`]);
      delete counts[name];
    },
    dir: (value?: unknown, options?: object) =>
      write('log', [loadInspect().inspect(value, { customInspect: false, ...options })]),
    dirxml: (...args: unknown[]) => write('log', args),
    group: begin,
    groupCollapsed: begin,
    groupEnd: () => {
      margin = margin.slice(2);
    },
    table: (rows?: unknown, properties?: string[]) => write('log', [loadInspect().table(rows, properties) ?? rows]),
    time: (label: unknown = 'default') => {
      starts[textOf(label)] ??= host('now');
    },
    timeEnd: (label: unknown = 'default') => {
      tellTime('timeEnd', textOf(label), []);
      delete starts[textOf(label)];
    },
    timeLog: (label: unknown = 'default', ...args: unknown[]) => tellTime('timeLog', textOf(label), args),
    timeStamp: () => undefined,
    trace,
  };
  for (let at = 0; at < LOG_LEVELS.length; at += 1) {
    const level = LOG_LEVELS[at]!;
    made[level] = (...args: unknown[]) => write(level, args);
  }
  return made;

  function begin(...args: unknown[]): void {
    if (args.length > 0) write('log', args);
    margin += '  ';
  }

  function trace(...args: unknown[]): void {
    const error = { name: 'Trace', message: format(args), stack: '' };
    Error.captureStackTrace(error, trace);
    write('debug', [error.stack]);
  }

  function tellTime(method: string, label: string, args: unknown[]): void {
    const start = starts[label];
    if (start === undefined) write('warn', [`Warning: No such label '${label}' for console.${method}()`]);
    else write('log', ['%s: %s', label, duration(host('now') - start), ...args]);
  }

  /** As Node tells it, but for what is longer than a run. */
  function duration(ms: number): string {
    return ms < 1000 ? `${Number(ms.toFixed(3))}ms` : `${(ms / 1000).toFixed(3)}s`;
  }

  function write(level: string, args: unknown[]): void {
    if (isLogFull()) return;
    const text = format(args);
    writeLine(level, margin === '' ? text : margin + text.replaceAll('\n', `\n${margin}`));
  }

  /** What is a text of its own is written without the rules for values. */
  function format(args: unknown[]): string {
    const [first] = args;
    if (args.length > 1 && typeof first === 'string' && first.includes('%')) return loadInspect().format(...args);
    let text = '';
    for (let index = 0; index < args.length; index += 1) text += (index > 0 ? ' ' : '') + toText(args[index]);
    return text;
  }

  function toText(value: unknown): string {
    if (typeof value === 'string') return value;
    const isSimple =
      value === undefined || value === null || typeof value === 'boolean' || (typeof value === 'number' && value !== 0);
    return isSimple ? textOf(value) : (inShort(value) ?? loadInspect().inspect(value));
  }

  /** What JSON tells all of, which is the whole of a resource in one line, and of an error its stack; undefined for what has more to it. */
  function inShort(value: unknown): string | undefined {
    if (typeof value !== 'object' || value === null) return undefined;
    try {
      if (value instanceof Error) return stackOf(value);
      let isAll = true;
      const text = stringify(value, function (this: Record<string, unknown>, key, inner) {
        const kept = this[key];
        isAll &&= typeof kept === 'object' ? isPlain(kept) : typeof kept !== 'function' && typeof kept !== 'symbol';
        return inner;
      });
      return isAll ? text : undefined;
    } catch {
      // It is in itself, or of numbers that JSON has not.
      return undefined;
    }
  }

  /** Of one of the language's own that has nothing else. */
  function stackOf(error: Error): string | undefined {
    const isOwn = Object.getPrototypeOf(error) === (error.constructor as typeof Error).prototype;
    const isBare = Reflect.ownKeys(error).every((key) => key === 'stack' || key === 'message');
    const isNamed = error.constructor.name === error.name && error.stack?.includes('\n    at ');
    return isOwn && isBare && isNamed ? error.stack : undefined;
  }

  function isPlain(value: object | null): boolean {
    if (value === null || Array.isArray(value)) return true;
    const prototype = Object.getPrototypeOf(value);
    return prototype === Object.prototype || prototype === null || prototype === Date.prototype;
  }
}
