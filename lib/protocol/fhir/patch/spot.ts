import { numberOf } from '../../json/json.ts';
import { choiceProperty, type ElementSpec, structure } from '../structures.ts';

export type Json = Record<string, unknown>;
/** Where an element stands in JSON: in `holder`, under `key`, and there at `index` where it repeats. `path`: of the holder's definition. */
export type Spot = { holder: Json; key: string; index?: number; path: string };
/** From the root of a resource: names as they stand in JSON, and indexes. */
export type Place = readonly (string | number)[];

/** What a primitive has beside its value (R4 json §2.6.2.3). */
export function besideOf(key: string): string {
  return `_${key}`;
}

/** The spots from the root down to a place; none for the root itself. */
export function spotsTo(root: Json, place: Place): Spot[] {
  const spots: Spot[] = [];
  let holder = root;
  let path = String(root.resourceType);
  for (let at = 0; at < place.length; at += 1) {
    const key = String(place[at]);
    const next = place[at + 1];
    const index = typeof next === 'number' ? next : undefined;
    if (index !== undefined) at += 1;
    const isLast = at === place.length - 1;
    const below = valueAt(holder, key, index);
    // Below a primitive stand its id and extensions.
    const named = isLast || isObject(below) ? key : besideOf(key);
    spots.push({ holder, key: named, path, ...(index !== undefined && { index }) });
    if (isLast) break;
    path = isObject(below) ? pathBelow(path, key, below) : 'Element';
    holder = valueAt(holder, named, index) as Json;
  }
  return spots;
}

/** The object at a place, into which something is added, and the path of its definition; of a primitive what is beside it, made when it is needed. */
export function objectAt(root: Json, place: Place): { holder: Json; path: string } {
  const spot = spotsTo(root, place).at(-1);
  if (!spot) return { holder: root, path: String(root.resourceType) };
  const found = valueAt(spot.holder, spot.key, spot.index);
  if (isObject(found)) return { holder: found, path: pathBelow(spot.path, spot.key, found) };
  const beside = besideOf(spot.key);
  const known = valueAt(spot.holder, beside, spot.index);
  if (isObject(known)) return { holder: known, path: 'Element' };
  const made: Json = {};
  if (spot.index === undefined) spot.holder[beside] = made;
  else setIn(spot.holder, beside, spot.index, made, (spot.holder[spot.key] as unknown[]).length);
  return { holder: made, path: 'Element' };
}

/** Sets an item of a list that has null where there is nothing, and as many of them as the list that it is beside. */
export function setIn(holder: Json, key: string, index: number, value: unknown, length: number): void {
  const list = (holder[key] as unknown[] | undefined) ?? [];
  const filled = Array.from({ length: Math.max(length, list.length) }, (_, at) => list[at] ?? null);
  filled[index] = value ?? null;
  holder[key] = filled;
  dropIfEmpty(holder, key);
}

export function dropIfEmpty(holder: Json, key: string): void {
  const list = holder[key];
  if (Array.isArray(list) && list.every((item) => item === null)) delete holder[key];
}

/** The element that a property of this definition is of: `value` and `valueQuantity` are both of `value[x]`. */
export function elementNamed(path: string, name: string): ElementSpec | undefined {
  const elements = structure(path)?.elements;
  const own = elements?.get(name);
  if (own) return own;
  return elements
    ?.values()
    .find(({ name: of, choice, types }) => choice && types.some(({ code }) => choiceProperty(of, code) === name));
}

/** Where what stands in this property is defined. */
export function pathBelow(path: string, key: string, value: unknown): string {
  if (isObject(value) && typeof value.resourceType === 'string') return value.resourceType;
  const element = elementNamed(path, key);
  if (!element) return '';
  if (element.nested !== undefined) return element.nested;
  const type = element.choice
    ? element.types.find(({ code }) => choiceProperty(element.name, code) === key)
    : element.types[0];
  return type?.code ?? '';
}

function valueAt(holder: Json, key: string, index: number | undefined): unknown {
  const value = Object.hasOwn(holder, key) ? holder[key] : undefined;
  return index === undefined ? value : (value as unknown[] | undefined)?.[index];
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && numberOf(value) === undefined;
}
