import {
  arrayEntries,
  bufferEntries,
  extraEntries,
  type FormatValue,
  mapEntries,
  setEntries,
  typedArrayEntries,
} from './entries.ts';
import { formatError } from './format-error.ts';
import { formatProperty } from './format-property.ts';
import { keysOf, keysOfList } from './keys.ts';
import * as is from './kinds.ts';
import { functionBase, objectPrefix, prefixOf } from './names.ts';
import type { Context } from './options.ts';
import { formatPrimitive } from './primitives.ts';

/** How one kind of value is shown. */
export type Shape = {
  keys: PropertyKey[];
  braces: [string, string];
  /** What stands before the brace. */
  base?: string;
  /** All of it, where there are no keys. */
  alone?: string;
  isList?: boolean;
  isRegExp?: boolean;
  entries?: (depth: number) => string[];
};

export type Named = {
  value: object;
  depth: number;
  /** Of its class; null without a prototype. */
  name: string | null;
  tag: string;
  /** It is the buffer of bytes that are shown. */
  isOfBytes: boolean;
};

/** In the order in which Node asks what a value is. */
export function shapeOf(context: Context, named: Named, formatValue: FormatValue): Shape {
  const { value, name, tag } = named;
  const iterable = name === null || Symbol.iterator in value ? iterableShape(context, named, formatValue) : undefined;
  if (iterable) return iterable;
  const keys = keysOf(value, context.showHidden);
  if (typeof value === 'function') {
    const base = functionBase(value, name, tag);
    return { keys, braces: ['{', '}'], base, alone: context.stylize(base, 'special') };
  }
  if (name === 'Object') {
    const prefix = is.isArguments(value) ? '[Arguments] ' : tag !== '' ? prefixOf(name, tag, 'Object') : '';
    return braced(keys, prefix, { alone: `${prefix}{}` });
  }
  return (
    slotShape(context, named, keys, formatValue) ?? braced(keys, objectPrefix(value, name, tag), { isEmpty: true })
  );
}

function braced(
  keys: PropertyKey[],
  prefix: string,
  { isEmpty = false, ...more }: Partial<Shape> & { isEmpty?: boolean } = {},
): Shape {
  return { keys, braces: [`${prefix}{`, '}'], ...(isEmpty && { alone: `${prefix}{}` }), ...more };
}

function iterableShape(context: Context, named: Named, formatValue: FormatValue): Shape | undefined {
  const { value, depth, name, tag } = named;
  const { showHidden } = context;
  const sized = (fallback: string, size: number) => prefixOf(name, tag, fallback, `(${size})`);
  const listed = (prefix: string, isEmpty: boolean, entries: Shape['entries']): Shape => {
    const keys = keysOfList(value as ArrayLike<unknown>, showHidden);
    return { keys, braces: [`${prefix}[`, ']'], isList: true, entries, ...(isEmpty && { alone: `${prefix}[]` }) };
  };
  if (Array.isArray(value)) {
    const prefix = name !== 'Array' || tag !== '' ? sized('Array', value.length) : '';
    const element = (key: string, descriptor?: PropertyDescriptor) =>
      formatProperty(context, value, depth + 1, key, 'element', formatValue, descriptor);
    return listed(prefix, value.length === 0, () => arrayEntries(context, value, element));
  }
  if (is.isSet(value)) {
    const set = value as Set<unknown>;
    const entries = (inner: number) => setEntries(context, set, formatValue, inner);
    return braced(keysOf(value, showHidden), sized('Set', set.size), { isEmpty: set.size === 0, entries });
  }
  if (is.isMap(value)) {
    const map = value as Map<unknown, unknown>;
    const entries = (inner: number) => mapEntries(context, map, formatValue, inner);
    return braced(keysOf(value, showHidden), sized('Map', map.size), { isEmpty: map.size === 0, entries });
  }
  const typed = is.typedArrayName(value);
  if (typed) {
    const bytes = value as Uint8Array;
    const extra = showHidden ? ['BYTES_PER_ELEMENT', 'length', 'byteLength', 'byteOffset', 'buffer'] : [];
    const isEmpty = bytes.length === 0 && !showHidden;
    return listed(sized(name === null ? typed : '', bytes.length), isEmpty, (inner) => [
      ...typedArrayEntries(context, bytes),
      ...extraEntries(context, bytes, extra, formatValue, inner),
    ]);
  }
  const iterated = is.isMapIterator(value) ? 'Map' : is.isSetIterator(value) ? 'Set' : undefined;
  if (!iterated) return undefined;
  const own = `${iterated} Iterator`;
  const prefix = `[${tag !== own && tag !== '' ? `${tag}] [` : ''}${own}] `;
  // To look would use it up.
  return braced(keysOf(value, showHidden), prefix, { entries: () => [unknown(context, 'items')] });
}

const unknown = (context: Context, what: string) => context.stylize(`<${what} unknown>`, 'special');

/** Of values that have something inside beside their properties. Who has no prototype is asked as well. */
function slotShape(context: Context, named: Named, keys: PropertyKey[], formatValue: FormatValue): Shape | undefined {
  const { value, name, tag, isOfBytes } = named;
  const { stylize } = context;
  const maybe = (Class: abstract new (...args: never) => unknown) =>
    name === null || is.isInstance(value, Class as never);
  const prefix = (fallback: string) => prefixOf(name, tag, fallback);
  const plainly = (fallback: string) => (prefix(fallback) === `${fallback} ` ? '' : prefix(fallback));
  if (maybe(RegExp) && is.isRegExp(value)) {
    const base = `${plainly('RegExp')}${RegExp.prototype.toString.call(value)}`;
    return { keys, braces: ['{', '}'], base, alone: stylize(base, 'regexp'), isRegExp: true };
  }
  if (maybe(Date) && is.isDate(value)) {
    const { getTime, toISOString, toString: toText } = Date.prototype;
    const isNone = Number.isNaN(getTime.call(value));
    const base = `${plainly('Date')}${(isNone ? toText : toISOString).call(value as Date)}`;
    return { keys, braces: ['{', '}'], base, alone: stylize(base, 'date') };
  }
  if (is.isError(value)) {
    const base = formatError(value, name, tag, context, keys, (stack) => formatValue(context, stack, 0));
    return { keys, braces: ['{', '}'], base, alone: base };
  }
  if (maybe(ArrayBuffer) && is.isArrayBuffer(value)) {
    const buffer = value as ArrayBuffer;
    const extra = (inner: number) => extraEntries(context, buffer, ['byteLength'], formatValue, inner);
    const entries = (inner: number) => [...(isOfBytes ? [] : bufferEntries(context, buffer)), ...extra(inner)];
    return braced(keys, prefix('ArrayBuffer'), { entries });
  }
  if (maybe(DataView) && is.isDataView(value)) {
    const extra = ['byteLength', 'byteOffset', 'buffer'];
    const entries = (inner: number) => extraEntries(context, value, extra, formatValue, inner);
    return braced(keys, prefix('DataView'), { entries });
  }
  // Nothing in an isolate tells how it stands without waiting for it.
  if (is.isPromise(value)) return braced(keys, prefix('Promise'), { entries: () => [unknown(context, 'state')] });
  if (maybe(WeakSet) && is.isWeakSet(value))
    return braced(keys, prefix('WeakSet'), { entries: () => [unknown(context, 'items')] });
  if (maybe(WeakMap) && is.isWeakMap(value))
    return braced(keys, prefix('WeakMap'), { entries: () => [unknown(context, 'items')] });
  const boxed = BOXED.find(([Class, isOne]) => maybe(Class as never) && isOne(value));
  if (!boxed) return undefined;
  const base = boxedBase(boxed, context, named, keys);
  const style = boxed[0].name.toLowerCase();
  return { keys, braces: ['{', '}'], base, alone: stylize(base, style) };
}

const BOXED = [
  [Number, is.isNumberObject],
  [String, is.isStringObject],
  [Boolean, is.isBooleanObject],
  [BigInt, is.isBigIntObject],
  [Symbol, is.isSymbolObject],
] as const;

function boxedBase(
  [Class]: (typeof BOXED)[number],
  context: Context,
  { value, name, tag }: Named,
  keys: PropertyKey[],
): string {
  const type = Class.name;
  const inner: unknown = (Class.prototype.valueOf as () => unknown).call(value);
  // Its characters are in it.
  if (typeof inner === 'string') keys.splice(0, inner.length);
  const other = name === type ? '' : name === null ? ' (null prototype)' : ` (${name})`;
  const shown = formatPrimitive(inner, { ...context, stylize: (text) => text });
  return `[${type}${other}: ${shown}]${tag !== '' && tag !== name ? ` [${tag}]` : ''}`;
}
