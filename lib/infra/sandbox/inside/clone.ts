/** https://html.spec.whatwg.org/#structured-clone for what bots hold: plain data, dates, maps, sets, errors, bytes, cycles. */
export function structuredClone<T>(value: T): T {
  return clone(value, new Map()) as T;
}

function clone(value: unknown, seen: Map<unknown, unknown>): unknown {
  if (typeof value === 'function' || typeof value === 'symbol')
    throw new TypeError(`A ${typeof value} cannot be cloned`);
  if (typeof value !== 'object' || value === null) return value;
  if (seen.has(value)) return seen.get(value);
  const [copy, fill] = copyOf(value, seen);
  seen.set(value, copy);
  fill?.();
  return copy;
}

// The empty copy first, its content after it is known: cycles.
function copyOf(value: object, seen: Map<unknown, unknown>): [copy: object, fill?: () => void] {
  if (value instanceof Date) return [new Date(value)];
  if (value instanceof RegExp) return [new RegExp(value.source, value.flags)];
  if (value instanceof ArrayBuffer) return [value.slice(0)];
  if (ArrayBuffer.isView(value)) return [copyView(value, seen)];
  if (value instanceof Map) {
    const copy = new Map();
    return [copy, () => value.forEach((inner, key) => void copy.set(clone(key, seen), clone(inner, seen)))];
  }
  if (value instanceof Set) {
    const copy = new Set();
    return [copy, () => value.forEach((inner) => void copy.add(clone(inner, seen)))];
  }
  if (value instanceof Error) return [copyError(value)];
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? new Array(value.length) : {};
  return [copy, () => copyEntries(value, copy, seen)];
}

function copyEntries(from: object, to: object, seen: Map<unknown, unknown>): void {
  for (const [key, inner] of Object.entries(from)) {
    const property = { value: clone(inner, seen), writable: true, enumerable: true, configurable: true };
    Object.defineProperty(to, key, property);
  }
}

function copyView(view: ArrayBufferView, seen: Map<unknown, unknown>): object {
  const buffer = clone(view.buffer, seen) as ArrayBuffer;
  if (view instanceof DataView) return new DataView(buffer, view.byteOffset, view.byteLength);
  const Typed = view.constructor as Uint8ArrayConstructor;
  return new Typed(buffer, view.byteOffset, (view as Uint8Array).length);
}

function copyError(error: Error): Error {
  const copy = new Error(error.message);
  copy.name = error.name;
  copy.stack = error.stack;
  return copy;
}
