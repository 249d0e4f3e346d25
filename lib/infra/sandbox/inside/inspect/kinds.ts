const { apply } = Reflect;
const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { toString: tagText } = Object.prototype;

// biome-ignore lint/suspicious/noExplicitAny: any class of the language
type Class = abstract new (...args: any) => unknown;
export type Check = (value: unknown) => boolean;

const TypedArray = getPrototypeOf(Uint8Array) as { prototype: object };

/** What reads a slot that only values of this kind have. */
function slotOf(prototype: object, name: PropertyKey): (value: unknown) => unknown {
  const { get, value } = getOwnPropertyDescriptor(prototype, name)!;
  return (of) => apply(get ?? value, of, []);
}

/** Objects with the slot of this class, whatever they say of themselves. */
function kind(Class: Class, name: PropertyKey): Check {
  const read = slotOf(Class.prototype, name);
  return (value) => {
    if (typeof value !== 'object' || value === null) return false;
    try {
      read(value);
      return true;
    } catch {
      return false;
    }
  };
}

const tagged = (tag: string) => (value: unknown) => apply(tagText, value, []) === `[object ${tag}]`;

export function isInstance(value: unknown, Class: Class): boolean {
  try {
    return value instanceof Class;
  } catch {
    return false;
  }
}

const readName = slotOf(TypedArray.prototype, Symbol.toStringTag);

/** `Uint8Array` and its kin; undefined for anything else. */
export function typedArrayName(value: unknown): string | undefined {
  return readName(value) as string | undefined;
}

export const isMap = kind(Map, 'size');
export const isSet = kind(Set, 'size');
export const isDate = kind(Date, 'getTime');
export const isRegExp = kind(RegExp, 'source');
export const isArrayBuffer = kind(ArrayBuffer, 'byteLength');
const isDataView = kind(DataView, 'buffer');
const isNumberObject = kind(Number, 'valueOf');
const isStringObject = kind(String, 'valueOf');
const isBooleanObject = kind(Boolean, 'valueOf');
const isBigIntObject = kind(BigInt as never, 'valueOf');
export const isSymbolObject = kind(Symbol as never, 'valueOf');

/** Asked with a key, since they take no other question. */
export const isWeakMap: Check = asks(WeakMap.prototype.has);
export const isWeakSet: Check = asks(WeakSet.prototype.has);

function asks(method: (key: never) => unknown): Check {
  return (value) => {
    try {
      apply(method, value, [{}]);
      return true;
    } catch {
      return false;
    }
  };
}

// A question by `then` would say that somebody cares for what it fails with.
export const isPromise: Check = (value) => isInstance(value, Promise);
const isArguments: Check = tagged('Arguments');
const isMapIterator: Check = tagged('Map Iterator');
const isSetIterator: Check = tagged('Set Iterator');
export const isGeneratorObject: Check = tagged('Generator');

const { isError: hasErrorSlot } = Error as unknown as { isError?: Check };

const isNativeError: Check = hasErrorSlot ?? tagged('Error');
export const isError = (value: unknown): value is Error => isNativeError(value) || isInstance(value, Error);

export function isBoxedPrimitive(value: unknown): boolean {
  return (
    isNumberObject(value) ||
    isStringObject(value) ||
    isBooleanObject(value) ||
    isBigIntObject(value) ||
    isSymbolObject(value)
  );
}

/** As `util.types` has them. */
export const types = {
  ...{
    isBigIntObject,
    isBooleanObject,
    isBoxedPrimitive,
    isDataView,
    isDate,
    isGeneratorObject,
    isMap,
    isMapIterator,
    isNativeError,
  },
  ...{
    isNumberObject,
    isPromise,
    isRegExp,
    isSet,
    isSetIterator,
    isStringObject,
    isSymbolObject,
    isWeakMap,
    isWeakSet,
  },
  isAnyArrayBuffer: isArrayBuffer,
  isArgumentsObject: isArguments,
  isArrayBuffer,
};
