import { typedArrayName } from './kinds.ts';
import type { Context } from './options.ts';
import { formatNumber, formatPrimitive } from './primitives.ts';

export type FormatValue = (context: Context, value: unknown, depth: number, isTyped?: boolean) => string;
export type FormatElement = (key: string, descriptor?: PropertyDescriptor) => string;

const { getOwnPropertyDescriptor } = Object;

const moreItems = (count: number, what = 'item') => `... ${count} more ${what}${count > 1 ? 's' : ''}`;

export function arrayEntries(context: Context, list: unknown[], element: FormatElement): string[] {
  const most = Math.min(context.maxArrayLength, list.length);
  const entries: string[] = [];
  for (let at = 0; at < most; at += 1) {
    const descriptor = getOwnPropertyDescriptor(list, at);
    if (!descriptor) return sparseEntries(context, list, element, most, entries, at);
    entries.push(element(String(at), descriptor));
  }
  if (list.length > most) entries.push(moreItems(list.length - most));
  return entries;
}

/** From where it has its first hole. */
function sparseEntries(
  context: Context,
  list: unknown[],
  element: FormatElement,
  most: number,
  entries: string[],
  from: number,
): string[] {
  const holes = (count: number) => context.stylize(`<${count} empty item${count > 1 ? 's' : ''}>`, 'undefined');
  const keys = Object.keys(list);
  let next = from;
  for (let at = from; at < keys.length && entries.length < most; at += 1) {
    const key = keys[at]!;
    const index = Number(key);
    if (!/^(?:0|[1-9]\d*)$/.test(key) || index > 2 ** 32 - 2) break;
    if (index !== next) {
      entries.push(holes(index - next));
      next = index;
      if (entries.length === most) break;
    }
    entries.push(element(key));
    next += 1;
  }
  const rest = list.length - next;
  if (rest > 0) entries.push(entries.length === most ? moreItems(rest) : holes(rest));
  return entries;
}

export function typedArrayEntries(context: Context, list: ArrayLike<number | bigint>): string[] {
  const most = Math.min(context.maxArrayLength, list.length);
  const entries: string[] = [];
  for (let at = 0; at < most; at += 1) entries.push(formatPrimitive(list[at], context));
  if (list.length > most) entries.push(moreItems(list.length - most));
  return entries;
}

export function setEntries(context: Context, set: Set<unknown>, formatValue: FormatValue, depth: number): string[] {
  return collect(context, Set.prototype.values.call(set), set.size, (value) => formatValue(context, value, depth));
}

export function mapEntries(
  context: Context,
  map: Map<unknown, unknown>,
  formatValue: FormatValue,
  depth: number,
): string[] {
  return collect(
    context,
    Map.prototype.entries.call(map),
    map.size,
    ([key, value]) => `${formatValue(context, key, depth)} => ${formatValue(context, value, depth)}`,
  );
}

function collect<T>(context: Context, values: Iterable<T>, size: number, format: (value: T) => string): string[] {
  const entries: string[] = [];
  context.indentation += 2;
  for (const value of values) {
    if (entries.length >= context.maxArrayLength) break;
    entries.push(format(value));
  }
  context.indentation -= 2;
  const rest = size - entries.length;
  if (rest > 0) entries.push(moreItems(rest));
  return entries;
}

export function bufferEntries(context: Context, buffer: ArrayBuffer): string[] {
  if (buffer.detached) return [context.stylize('(detached)', 'special')];
  const most = Math.min(context.maxArrayLength, buffer.byteLength);
  const shown = Array.from(new Uint8Array(buffer, 0, most), (byte) => byte.toString(16).padStart(2, '0')).join(' ');
  const rest = buffer.byteLength - most;
  const contents = context.stylize('[Uint8Contents]', 'special');
  return [`${contents}: <${shown}${rest > 0 ? ` ${moreItems(rest, 'byte')}` : ''}>`];
}

/** What is no property of its own, such as the length of bytes. */
export function extraEntries(
  context: Context,
  value: object,
  keys: readonly string[],
  formatValue: FormatValue,
  depth: number,
): string[] {
  return keys.map((key) => {
    context.indentation += 2;
    const inner: unknown = (value as Record<string, unknown>)[key];
    const isTyped = typedArrayName(value) !== undefined;
    const text =
      typeof inner === 'number'
        ? formatNumber(context.stylize, inner, false)
        : formatValue(context, inner, depth, isTyped || undefined);
    context.indentation -= 2;
    return `${context.stylize(`[${key}]`, 'string')}: ${text}`;
  });
}
