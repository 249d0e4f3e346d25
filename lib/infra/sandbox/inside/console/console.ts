import { SANDBOX_LIMITS } from '../../host/limits.ts';
import { LOG_LEVELS } from '../../host/wire.ts';
import { host } from '../host.ts';
import { head, stringify, toText as textOf } from '../primordials.ts';
import { loadInspect } from './load-inspect.ts';
import { isLogFull, writeLine } from './log.ts';

/**
 * `console`, whose lines go to the run's log as Node writes them (https://nodejs.org/api/console.html), but for what JSON tells all of, until the log is full. All
 * in one function: what stands in the snapshot by itself is copied into every context (globals.ts). Nothing that is logged makes a bot fail.
 */
export function createConsole(): object {
  const { logBytes } = SANDBOX_LIMITS;
  const counts: { [label: string]: number } = Object.create(null);
  const starts: { [label: string]: number } = Object.create(null);
  /** Of groups, as deep as Node goes. */
  const MOST_MARGIN = 1000;
  /** Of the values that JSON is asked for: more have no room in a log. */
  const MOST_VALUES = logBytes / 2;
  const MOST_CAUSES = 8;
  const SHOWN_BYTES = 50;
  /** A text is told in one piece, or what it has of secrets would not be known as such. */
  const SHOWN = { depth: 8, breakLength: Number.POSITIVE_INFINITY, maxStringLength: logBytes };
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
      tell('log', [value], () =>
        isLong(value)
          ? ofLong(value)
          : loadInspect().inspect(value, { ...SHOWN, depth: 2, customInspect: false, ...options }),
      ),
    dirxml: (...args: unknown[]) => write('log', args),
    group: begin,
    groupCollapsed: begin,
    groupEnd: () => {
      margin = head(margin, margin.length - 2);
    },
    table: (rows?: unknown, properties?: string[]) =>
      tell('log', [rows], () => loadInspect().table(rows, properties) ?? format([rows])),
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
    if (margin.length < MOST_MARGIN) margin += '  ';
  }

  function trace(...args: unknown[]): void {
    tell('debug', args, () => {
      const error = { name: 'Trace', message: format(args), stack: '' };
      Error.captureStackTrace(error, trace);
      return error.stack;
    });
  }

  function tellTime(method: string, label: string, args: unknown[]): void {
    const start = starts[label];
    if (start === undefined) write('warn', [`Warning: No such label '${label}' for console.${method}()`]);
    else write('log', [`${label}: ${duration(host('now') - start)}`, ...args]);
  }

  /** As Node tells it, but for what is longer than a run. */
  function duration(ms: number): string {
    return ms < 1000 ? `${Number(ms.toFixed(3))}ms` : `${(ms / 1000).toFixed(3)}s`;
  }

  function write(level: string, args: unknown[]): void {
    tell(level, args, () => format(args));
  }

  /** The margin stands before the first line alone: within a secret of several lines it would hide that. */
  function tell(level: string, args: unknown[], say: () => string): void {
    if (isLogFull()) return;
    let text: string;
    try {
      text = textOf(say());
    } catch {
      text = inWords(args);
    }
    writeLine(level, margin + head(text, logBytes + 1));
  }

  /** Of what cannot be shown: proxies that throw, built-ins that were replaced. */
  function inWords(args: unknown[]): string {
    let text = '';
    for (let index = 0; index < args.length && text.length <= logBytes; index += 1) {
      const value = args[index];
      let shown = '[object that cannot be shown]';
      try {
        const isObject = typeof value === 'object' && value !== null;
        const said = value instanceof Error ? value.stack : isObject ? stringify(value) : undefined;
        shown = head(said ?? textOf(value), logBytes + 1);
      } catch {}
      text += (index > 0 ? ' ' : '') + shown;
    }
    return text;
  }

  /** What is a text of its own is written without the rules for values. */
  function format(args: unknown[]): string {
    const [first] = args;
    if (args.length > 1 && typeof first === 'string' && first.length <= logBytes && /%[sdifjoOc%]/.test(first))
      return loadInspect().formatWithOptions(SHOWN, ...args);
    let text = '';
    for (let index = 0; index < args.length && text.length <= logBytes; index += 1)
      text += (index > 0 ? ' ' : '') + head(toText(args[index]), logBytes + 1);
    return text;
  }

  function toText(value: unknown): string {
    if (typeof value === 'string') return value;
    const isSimple =
      value === undefined || value === null || typeof value === 'boolean' || (typeof value === 'number' && value !== 0);
    if (isSimple) return textOf(value);
    if (value instanceof Error) return ofError(value, 0);
    return inJson(value) ?? (isLong(value) ? ofLong(value) : loadInspect().inspect(value, SHOWN));
  }

  function isLong(value: unknown): value is Uint8Array {
    return ArrayBuffer.isView(value) && value.byteLength > logBytes && 'subarray' in value;
  }

  /** To find out that it has no other properties each of its bytes would be named. */
  function ofLong(list: Uint8Array): string {
    return `${loadInspect().inspect(list.subarray(0, SHOWN_BYTES), SHOWN)} (the first of ${list.length})`;
  }

  /** Its stack, what it is caused by, and of what else it has what is no object: those carry requests with their tokens, and answers. */
  function ofError(error: Error, depth: number): string {
    const { stack, name, message, cause, errors } = error as AggregateError;
    const text = typeof stack === 'string' && stack !== '' ? stack : `[${textOf(name)}: ${textOf(message)}]`;
    const more = Object.entries(error).filter(([key, value]) => {
      const isSaid = key === 'name' || key === 'message' || key === 'stack';
      return !isSaid && value !== undefined && typeof value !== 'object' && typeof value !== 'function';
    });
    const others: unknown[] = Array.isArray(errors) ? errors : [];
    const inner = [
      ...(cause === undefined ? [] : [['cause', cause] as const]),
      ...others.map((one, at) => [at, one] as const),
    ];
    const told = inner.slice(0, depth < MOST_CAUSES ? MOST_CAUSES : 0).map(([key, one]) => {
      return `\n[${key}]: ${one instanceof Error ? ofError(one, depth + 1) : toText(one)}`;
    });
    const shown = more.length > 0 ? ` ${loadInspect().inspect(Object.fromEntries(more), SHOWN)}` : '';
    return `${text}${shown}${told.join('')}`;
  }

  /** What JSON tells all of, which is the whole of a resource in one line; undefined for what has more to it. */
  function inJson(value: unknown): string | undefined {
    if (typeof value !== 'object' || !isTold(value)) return undefined;
    let count = 0;
    try {
      const text = stringify(value, (_, inner) => {
        count += 1;
        // What comes behind so many has no room in a log.
        if (count > MOST_VALUES) return undefined;
        if (!isTold(inner)) throw made;
        return Array.isArray(inner) && inner.length > MOST_VALUES ? inner.slice(0, MOST_VALUES) : inner;
      });
      return text === 'null' ? undefined : text;
    } catch {
      // It has more, or is in itself.
      return undefined;
    }
  }

  /** Of a class what that says of itself. */
  function isTold(value: unknown): boolean {
    if (typeof value === 'number') return Number.isFinite(value);
    if (typeof value === 'function' || typeof value === 'symbol') return false;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return true;
    const prototype = Object.getPrototypeOf(value);
    if (prototype === Object.prototype || prototype === null) return true;
    return !ArrayBuffer.isView(value) && typeof (value as { toJSON?: unknown }).toJSON === 'function';
  }
}
