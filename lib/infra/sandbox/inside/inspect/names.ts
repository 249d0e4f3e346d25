import { isBoxedPrimitive, isDate, isError, isInstance, isMap, isRegExp, isSet, typedArrayName } from './kinds.ts';
import type { Context } from './options.ts';

const { getOwnPropertyDescriptor, getPrototypeOf } = Object;

/** What V8 itself has, beside what a bot makes. */
const BUILT_IN = new Set(
  `Object Function Array Number Boolean String Symbol BigInt Date Promise RegExp Error AggregateError EvalError RangeError ReferenceError
  SyntaxError TypeError URIError SuppressedError ArrayBuffer SharedArrayBuffer DataView Int8Array Uint8Array Uint8ClampedArray Int16Array
  Uint16Array Int32Array Uint32Array Float16Array Float32Array Float64Array BigInt64Array BigUint64Array Map Set WeakMap WeakSet WeakRef Proxy
  Iterator FinalizationRegistry DisposableStack AsyncDisposableStack`.split(/\s+/),
);

export const isBuiltIn = (made: unknown): boolean => typeof made === 'function' && BUILT_IN.has(made.name);

/** Of the class nearest to it; null for an object that has no prototype. `found` hears where, of what no built-in class made. */
export function constructorName(
  value: object,
  context: Context,
  depth: number,
  inspect: (value: object, options: object) => string,
  found?: (prototype: object) => void,
): string | null {
  let first: object | null | undefined;
  for (let at: object | null = value; at; at = getPrototypeOf(at)) {
    if (at !== value) first ??= at;
    const own: unknown = getOwnPropertyDescriptor(at, 'constructor')?.value;
    if (typeof own !== 'function' || own.name === '' || !isInstance(value, own as never)) continue;
    if (first !== at || !isBuiltIn(own)) found?.(first ?? value);
    return String(own.name);
  }
  if (!first) return null;
  const kind = innerName(value);
  if (depth > context.depth) return `${kind} <Complex prototype>`;
  const above = constructorName(first, context, depth + 1, inspect, found);
  return `${kind} <${above ?? inspect(first, { ...context.userOptions, depth: -1, customInspect: false })}>`;
}

/** As V8 knows it, without asking the object. */
function innerName(value: object): string {
  if (typeof value === 'function') return 'Function';
  if (Array.isArray(value)) return 'Array';
  if (isMap(value)) return 'Map';
  if (isSet(value)) return 'Set';
  if (isDate(value)) return 'Date';
  if (isRegExp(value)) return 'RegExp';
  if (isError(value)) return 'Error';
  if (isBoxedPrimitive(value)) return Object.prototype.toString.call(value).slice(8, -1);
  return typedArrayName(value) ?? 'Object';
}

/** What stands before the brace of an object of this class. */
export function prefixOf(className: string | null, tag: string, fallback: string, size = ''): string {
  if (className === null) {
    const more = tag !== '' && fallback !== tag ? `[${tag}] ` : '';
    return `[${fallback}${size}: null prototype] ${more}`;
  }
  const next = className[className.indexOf(tag) + tag.length];
  const isTold = tag === '' || (className.includes(tag) && (next === undefined || next !== next.toLowerCase()));
  return `${className}${size} ${isTold ? '' : `[${tag}] `}`;
}

export function objectPrefix(value: object, className: string | null, tag: string): string {
  const inner = className === null ? innerName(value) : '';
  return prefixOf(className, tag, inner === tag ? 'Object' : inner);
}

/** `[Function: name]` and `[class Name extends Other]`. */
export function functionBase(value: { name: unknown }, className: string | null, tag: string): string {
  const text = Function.prototype.toString.call(value);
  const [, head] = /^class([^{]*)\{/.exec(text) ?? [];
  if (head !== undefined && text.endsWith('}')) return classBase(value, className, tag);
  const kind = /^\[object ((?:Async)?(?:Generator)?Function)\]$/.exec(Object.prototype.toString.call(value))?.[1];
  // As Node has it.
  const type = kind === 'AsyncGeneratorFunction' ? 'AsyncGeneratorFunction' : (kind ?? 'Function');
  const name = value.name === '' ? ' (anonymous)' : `: ${String(value.name)}`;
  const bare = className === null ? ' (null prototype)' : '';
  const other = className !== type && className !== null ? ` ${className}` : '';
  return `[${type}${bare}${name}]${other}${tag !== '' && className !== tag ? ` [${tag}]` : ''}`;
}

function classBase(value: { name: unknown }, className: string | null, tag: string): string {
  const name = (Object.hasOwn(value, 'name') && value.name) || '(anonymous)';
  const kind = className !== 'Function' && className !== null ? ` [${className}]` : '';
  const told = tag !== '' && className !== tag ? ` [${tag}]` : '';
  const above = className === null ? '[null prototype]' : (getPrototypeOf(value) as { name?: string }).name;
  return `[class ${String(name)}${kind}${told}${above ? ` extends ${above}` : ''}]`;
}
