import type { FormatValue } from './entries.ts';
import type { Context } from './options.ts';
import { formatPrimitive, quote, symbolText, widthOf } from './primitives.ts';

/** `of-list`: a property that a list has beside its elements. `from`: who has it, where another inherits it. */
export type PropertyKind = 'own' | 'element' | 'of-list';

export function formatProperty(
  context: Context,
  value: object,
  depth: number,
  key: PropertyKey,
  kind: PropertyKind,
  formatValue: FormatValue,
  descriptor = Object.getOwnPropertyDescriptor(value, key),
  owner: object = value,
): string {
  if (!descriptor) return '';
  let between = ' ';
  let text: string;
  if (descriptor.value !== undefined) {
    const indent = context.compact !== true || kind !== 'own' ? 2 : 3;
    context.indentation += indent;
    text = formatValue(context, descriptor.value, depth);
    if (indent === 3 && context.breakLength < widthOf(text)) between = `\n${' '.repeat(context.indentation)}`;
    context.indentation -= indent;
  } else if (descriptor.get) text = formatGetter(context, descriptor, owner, depth, formatValue);
  else if (descriptor.set) text = context.stylize('[Setter]', 'special');
  else text = context.stylize('undefined', 'undefined');
  if (kind === 'element') return text;
  const name = nameOf(context, key);
  return `${descriptor.enumerable === false ? `[${name}]` : name}:${between}${text}`;
}

function nameOf(context: Context, key: PropertyKey): string {
  if (typeof key === 'symbol') return context.stylize(symbolText(key), 'symbol');
  const text = String(key);
  if (text === '__proto__') return "['__proto__']";
  return /^[a-zA-Z_]\w*$/.test(text) ? context.stylize(text, 'name') : context.stylize(quote(text), 'string');
}

/** By its value where the options ask for that. */
function formatGetter(
  context: Context,
  { get, set }: PropertyDescriptor,
  owner: object,
  depth: number,
  formatValue: FormatValue,
): string {
  const { getters } = context;
  const label = set ? 'Getter/Setter' : 'Getter';
  const special = (text: string) => context.stylize(text, 'special');
  if (getters !== true && getters !== (set ? 'set' : 'get')) return special(`[${label}]`);
  context.indentation += 2;
  let text: string;
  try {
    const value: unknown = get!.call(owner);
    const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
    if (isObject) text = `${special(`[${label}]`)} ${formatValue(context, value, depth)}`;
    else {
      const shown = value === null ? context.stylize('null', 'null') : formatPrimitive(value, context);
      text = `${special(`[${label}:`)} ${shown}${special(']')}`;
    }
  } catch (error) {
    const shown = `<Inspection threw (${formatValue(context, error, depth)})>`;
    text = `${special(`[${label}:`)} ${shown}${special(']')}`;
  }
  context.indentation -= 2;
  return text;
}
