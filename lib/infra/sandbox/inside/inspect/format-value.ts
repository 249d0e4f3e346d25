import { formatProperty } from './format-property.ts';
import { layOut } from './lay-out.ts';
import { constructorName, isBuiltIn, objectPrefix } from './names.ts';
import { type Context, toUserOptions } from './options.ts';
import { formatPrimitive } from './primitives.ts';
import { shapeOf } from './shapes.ts';

export const custom: unique symbol = Symbol.for('nodejs.util.inspect.custom') as never;

const { getOwnPropertyDescriptor, getPrototypeOf, hasOwn } = Object;

/** https://nodejs.org/api/util.html#utilinspectobject-options, by Node's own rules. `inspect`: for what shows itself. */
export function makeFormatValue(inspect: (value: unknown, options?: object) => string) {
  return formatValue;

  function formatValue(context: Context, value: unknown, depth: number, isOfBytes = false): string {
    if (value === null) return context.stylize('null', 'null');
    if (typeof value !== 'object' && typeof value !== 'function') return formatPrimitive(value, context);
    const shown = context.customInspect ? byItself(context, value, depth) : undefined;
    if (shown !== undefined) return shown;
    if (!context.seen.includes(value)) return formatObject(context, value, depth, isOfBytes);
    context.circular ??= new Map();
    const index = context.circular.get(value) ?? context.circular.size + 1;
    context.circular.set(value, index);
    return context.stylize(`[Circular *${index}]`, 'special');
  }

  /** What an object with a method for it says of itself; prototypes are none. */
  function byItself(context: Context, value: object, depth: number): string | undefined {
    const own = read(value, custom);
    if (typeof own !== 'function' || own === inspect) return undefined;
    if (getOwnPropertyDescriptor(value, 'constructor')?.value?.prototype === value) return undefined;
    const left = context.isUnlimited ? null : context.depth - depth;
    const result: unknown = own.call(value, left, toUserOptions(context), inspect);
    if (result === value) return undefined;
    if (typeof result !== 'string') return formatValue(context, result, depth);
    return result.replaceAll('\n', `\n${' '.repeat(context.indentation)}`);
  }

  function formatObject(context: Context, value: object, depth: number, isOfBytes: boolean): string {
    const inherited: string[] = [];
    const name = constructorName(value, context, depth, inspect, (first) => {
      if (context.showHidden && depth <= context.depth) addInherited(context, value, first, depth, inherited);
    });
    const tag = tagOf(context, value);
    const {
      keys,
      braces,
      base = '',
      alone,
      isList,
      isRegExp,
      entries,
    } = shapeOf(context, { value, depth, name, tag, isOfBytes }, formatValue);
    if (alone !== undefined && ((keys.length === 0 && inherited.length === 0) || (isRegExp && depth > context.depth)))
      return alone;
    const told = () => objectPrefix(value, name, tag).slice(0, -1);
    if (depth > context.depth) return context.stylize(name === null ? told() : `[${told()}]`, 'special');
    const inner = depth + 1;
    const { indentation } = context;
    context.seen.push(value);
    context.currentDepth = inner;
    let output: string[];
    try {
      output = entries?.(inner) ?? [];
      for (const key of keys)
        output.push(formatProperty(context, value, inner, key, isList ? 'of-list' : 'own', formatValue));
      output.push(...inherited);
    } catch (error) {
      if (!isTooDeep(error)) throw error;
      context.seen.pop();
      context.indentation = indentation;
      const text = 'Inspection interrupted prematurely. Maximum call stack size exceeded.';
      return context.stylize(`[${told()}: ${text}]`, 'special');
    }
    const index = context.circular?.get(value);
    const reference = index === undefined ? '' : context.stylize(`<ref *${index}>`, 'special');
    const isCompact = context.compact === true;
    const whole = isCompact ? base : [reference, base].filter(Boolean).join(' ');
    const [open, close] = braces;
    context.seen.pop();
    if (context.sorted) output = sorted(context, output, isList ? output.length - keys.length : 0);
    const opened = isCompact && reference ? `${reference} ${open}` : open;
    return layOut(context, output, whole, [opened, close], inner, isList ? (value as unknown[]) : undefined);
  }

  /** What classes of the bot's have defined, up to three of them: three is Node's. */
  function addInherited(context: Context, value: object, first: object, depth: number, output: string[]): void {
    const seen = new Set<PropertyKey>();
    let at: object | null = first;
    for (let level = 0; level < 3; level += 1) {
      if (level > 0 || at === value) at = at && getPrototypeOf(at);
      if (!at || isBuiltIn(getOwnPropertyDescriptor(at, 'constructor')?.value)) return;
      context.seen.push(value);
      for (const key of Reflect.ownKeys(at)) {
        const descriptor = getOwnPropertyDescriptor(at, key)!;
        if (key === 'constructor' || hasOwn(value, key) || seen.has(key) || typeof descriptor.value === 'function')
          continue;
        const text = formatProperty(context, at, depth, key, 'own', formatValue, descriptor, value);
        output.push(context.colors ? `\u001b[2m${text}\u001b[22m` : text);
      }
      context.seen.pop();
      for (const key of Reflect.ownKeys(at)) seen.add(key);
    }
  }
}

/** A getter that throws says nothing. */
function read(value: object, key: PropertyKey): unknown {
  try {
    return (value as Record<PropertyKey, unknown>)[key];
  } catch {
    return undefined;
  }
}

/** Unless it stands among the properties that are shown. */
function tagOf(context: Context, value: object): string {
  const tag = read(value, Symbol.toStringTag);
  if (typeof tag !== 'string' || tag === '') return '';
  const own = getOwnPropertyDescriptor(value, Symbol.toStringTag);
  return own && (context.showHidden || own.enumerable) ? '' : tag;
}

function isTooDeep(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack');
}

function sorted({ sorted: by }: Context, output: string[], from: number): string[] {
  const compare = typeof by === 'function' ? by : undefined;
  return [...output.slice(0, from), ...output.slice(from).sort(compare)];
}
