import { custom, makeFormatValue } from './format-value.ts';
import { isBuiltIn } from './names.ts';
import { colors, defaultOptions, type Options, styles, toContext } from './options.ts';
import { formatNumber, formatPrimitive } from './primitives.ts';

type Given = Partial<Options> | null;

const formatValue = makeFormatValue(inspectValue);

function inspectValue(value: unknown, given?: Given | boolean, depth?: number | null, hasColors?: boolean): string {
  const legacy = { ...(depth !== undefined && { depth }), ...(hasColors !== undefined && { colors: hasColors }) };
  const options = typeof given === 'boolean' ? { showHidden: given } : given;
  return formatValue(toContext({ ...legacy, ...options }), value, 0);
}

export const inspect = Object.assign(inspectValue, { custom, colors, styles });
Object.defineProperty(inspect, 'name', { value: 'inspect' });
Object.defineProperty(inspect, 'defaultOptions', {
  get: () => defaultOptions,
  set: (options: Partial<Options>) => Object.assign(defaultOptions, options),
});

export const format = (...args: unknown[]): string => formatAll(undefined, args);

export function formatWithOptions(options: Given, ...args: unknown[]): string {
  if (typeof options !== 'object' || options === null) {
    const got = options === null ? 'null' : `type ${typeof options} (${inspect(options)})`;
    const message = `The "inspectOptions" argument must be of type object. Received ${got}`;
    throw Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_TYPE' });
  }
  return formatAll(options, args);
}

/** https://nodejs.org/api/util.html#utilformatformat-args */
export function formatAll(options: Given | undefined, args: readonly unknown[]): string {
  const [first] = args;
  if (typeof first !== 'string') return args.map((arg) => shown(arg, options)).join(' ');
  if (args.length === 1) return first;
  let next = 1;
  const text = first.replace(/%[sdifjoOc%]/g, (what) => {
    if (what === '%%') return '%';
    if (next >= args.length) return what;
    next += 1;
    return filled(what, args[next - 1], options);
  });
  return [text, ...args.slice(next).map((arg) => shown(arg, options))].join(' ');
}

function shown(value: unknown, options?: Given): string {
  return typeof value === 'string' ? value : inspect(value, options);
}

function filled(what: string, value: unknown, options?: Given): string {
  const { numericSeparator } = { ...defaultOptions, ...options };
  const number = (read: (from: never) => number) => {
    if (typeof value === 'bigint' && what !== '%f') return plain(value);
    return typeof value === 'symbol' ? 'NaN' : formatNumber((text) => text, read(value as never), numericSeparator);
  };
  const plain = (primitive: unknown) =>
    formatPrimitive(primitive, { ...toContext({ ...options, colors: false }), stylize: (text) => text });
  switch (what) {
    case '%s':
      if (typeof value === 'number' || typeof value === 'bigint') return plain(value);
      if (typeof value !== 'object' || value === null || !hasBuiltInText(value)) return String(value);
      return inspect(value, { ...options, compact: 3, colors: false, depth: 0 });
    case '%d':
      return number(Number);
    case '%i':
      return number(Number.parseInt);
    case '%f':
      return number(Number.parseFloat);
    case '%j':
      return toJson(value);
    case '%o':
      return inspect(value, { ...options, showHidden: true, showProxy: true, depth: 4 });
    case '%O':
      return inspect(value, options);
    default:
      return '';
  }
}

function toJson(value: unknown): string {
  try {
    return String(JSON.stringify(value));
  } catch (error) {
    if (error instanceof TypeError && error.message.includes('circular structure')) return '[Circular]';
    throw error;
  }
}

/** Whether nothing but the language says how it is a text. */
function hasBuiltInText(value: object): boolean {
  const own = value as Record<PropertyKey, unknown>;
  const names = ['toString', Symbol.toPrimitive].filter((name) => typeof own[name] === 'function');
  if (names.length === 0) return true;
  if (names.some((name) => Object.hasOwn(value, name))) return false;
  let at: object | null = Object.getPrototypeOf(value);
  while (at && !names.some((name) => Object.hasOwn(at!, name))) at = Object.getPrototypeOf(at);
  return at !== null && isBuiltIn(Object.getOwnPropertyDescriptor(at, 'constructor')?.value);
}
