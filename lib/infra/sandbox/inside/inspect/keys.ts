const { getOwnPropertyNames, getOwnPropertySymbols, keys: enumerableKeys } = Object;
const { propertyIsEnumerable: isShown } = Object.prototype;

/** What is shown of an object: what is enumerable, or all of it. */
export function keysOf(value: object, showHidden: boolean): PropertyKey[] {
  const keys: PropertyKey[] = showHidden ? getOwnPropertyNames(value) : enumerableKeys(value);
  return withSymbols(value, keys, showHidden);
}

/** Beside its elements. */
export function keysOfList(value: ArrayLike<unknown>, showHidden: boolean): PropertyKey[] {
  const all = showHidden ? getOwnPropertyNames(value) : enumerableKeys(value);
  // Elements come first, each by its number.
  let from = Math.min(all.length, value.length);
  while (from > 0 && !isIndex(all[from - 1]!)) from -= 1;
  return withSymbols(value, all.slice(from), showHidden);
}

function isIndex(key: string): boolean {
  return /^(?:0|[1-9]\d{0,9})$/.test(key) && Number(key) < 2 ** 32 - 1;
}

function withSymbols(value: object, keys: PropertyKey[], showHidden: boolean): PropertyKey[] {
  const symbols = getOwnPropertySymbols(value);
  for (const symbol of symbols) if (showHidden || isShown.call(value, symbol)) keys.push(symbol);
  return keys;
}
