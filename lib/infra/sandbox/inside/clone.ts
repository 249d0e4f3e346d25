import * as is from './inspect/kinds.ts';

type Views = Uint8Array | DataView;
type ViewClass = new (buffer: ArrayBuffer, offset?: number, length?: number) => Views;

const ERRORS = ['EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError'];
const Classes = globalThis as unknown as Record<string, never>;

/** https://html.spec.whatwg.org/multipage/structured-data.html#dom-structuredclone */
export function structuredClone<T>(...given: [value?: T, options?: { transfer?: Iterable<ArrayBuffer> } | null]): T {
  if (given.length === 0)
    throw Object.assign(new TypeError('The "value" argument must be specified'), { code: 'ERR_MISSING_ARGS' });
  const [value, options] = given;
  const transferred = [...(options?.transfer ?? [])];
  for (const one of transferred) if (!is.isArrayBuffer(one) || one.detached) refuse(one);
  const copy = clone(value, new Map()) as T;
  // Only when nothing was refused.
  for (const one of transferred) one.transfer();
  return copy;
}

function clone(value: unknown, seen: Map<unknown, unknown>): unknown {
  if (typeof value === 'symbol' || typeof value === 'function') refuse(value);
  if (typeof value !== 'object' || value === null) return value;
  const known = seen.get(value);
  if (known) return known;
  const copy = empty(value, seen);
  seen.set(value, copy);
  if (is.isMap(value)) {
    const entries = [...Map.prototype.entries.call(value as Map<unknown, unknown>)];
    for (const [key, inner] of entries) (copy as Map<unknown, unknown>).set(clone(key, seen), clone(inner, seen));
  } else if (is.isSet(value)) {
    const entries = [...Set.prototype.values.call(value as Set<unknown>)];
    for (const inner of entries) (copy as Set<unknown>).add(clone(inner, seen));
  } else if (is.isError(value)) {
    const cause = Object.getOwnPropertyDescriptor(value, 'cause');
    if (cause && 'value' in cause) put(copy, 'cause', clone(cause.value, seen), false);
  } else if (Array.isArray(value) || !hasSlots(value)) {
    for (const key of Object.keys(value)) put(copy, key, clone((value as Record<string, unknown>)[key], seen), true);
  }
  return copy;
}

/** What it becomes, without what is in it. */
function empty(value: object, seen: Map<unknown, unknown>): object {
  if (Array.isArray(value)) return new Array(value.length);
  if (is.isMap(value)) return new Map();
  if (is.isSet(value)) return new Set();
  if (is.isDate(value)) return new Date(Date.prototype.getTime.call(value));
  if (is.isRegExp(value)) return new RegExp((value as RegExp).source, (value as RegExp).flags);
  if (is.isArrayBuffer(value)) return copyBuffer(value as ArrayBuffer);
  if (ArrayBuffer.isView(value)) return copyView(value, seen);
  if (is.isError(value)) return copyError(value);
  if (is.isSymbolObject(value)) refuse(value);
  if (is.isBoxedPrimitive(value)) return Object(value.valueOf());
  if (is.isPromise(value) || is.isWeakMap(value) || is.isWeakSet(value) || value instanceof WeakRef) refuse(value);
  if (is.isGeneratorObject(value)) refuse(value);
  return ofTheWeb(value) ?? {};
}

function hasSlots(value: object): boolean {
  const isBytes = is.isArrayBuffer(value) || ArrayBuffer.isView(value);
  return (
    isBytes || is.isDate(value) || is.isRegExp(value) || is.isBoxedPrimitive(value) || ofTheWeb(value) !== undefined
  );
}

/** What cannot change is the same for all. Nobody has one before its class is there. */
function ofTheWeb(value: object): object | undefined {
  const tag = (value as { [Symbol.toStringTag]?: unknown })[Symbol.toStringTag];
  const isOne = tag === 'Blob' || tag === 'File' || tag === 'CryptoKey';
  return isOne && is.isInstance(value, Classes[tag]!) ? value : undefined;
}

function copyBuffer(buffer: ArrayBuffer): ArrayBuffer {
  if (buffer.detached) refuse(buffer);
  return ArrayBuffer.prototype.slice.call(buffer, 0);
}

function copyView(view: ArrayBufferView, seen: Map<unknown, unknown>): object {
  const Class = Classes[is.typedArrayName(view) ?? 'DataView'] as unknown as ViewClass;
  const { length } = view as Partial<Uint8Array>;
  return new Class(clone(view.buffer, seen) as ArrayBuffer, view.byteOffset, length ?? view.byteLength);
}

function copyError(error: Error): Error {
  const { name, stack } = error;
  const Class = (ERRORS.includes(name) ? Classes[name] : Error) as unknown as ErrorConstructor;
  const message = Object.getOwnPropertyDescriptor(error, 'message');
  const copy = message && 'value' in message ? new Class(String(message.value)) : new Class();
  put(copy, 'stack', stack === undefined ? undefined : String(stack), false);
  return copy;
}

function put(target: object, key: string, value: unknown, enumerable: boolean): void {
  Object.defineProperty(target, key, { value, enumerable, writable: true, configurable: true });
}

function refuse(value: unknown): never {
  const text =
    typeof value === 'object' && value !== null ? `#<${value.constructor?.name ?? 'Object'}>` : String(value);
  throw new globalThis.DOMException(`${text} could not be cloned.`, 'DataCloneError');
}
