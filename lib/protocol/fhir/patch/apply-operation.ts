import { cloneJson } from '../../json/json.ts';
import { choiceProperty, type ElementSpec } from '../structures.ts';
import { type Given, invalid, type Operation } from './read-operations.ts';
import {
  besideOf,
  dropIfEmpty,
  elementNamed,
  type Json,
  objectAt,
  type Place,
  pathBelow,
  type Spot,
  setIn,
  spotsTo,
} from './spot.ts';

/** JSON pointers: what stands there or below cannot be changed. */
export type Forbidden = readonly string[];

/**
 * What is asked of the engine for an operation: the element at its path, or, where it is about a list, which may be empty, the element that has
 * the list. Throws 400 for a path that names no list.
 */
export function whereOf(operation: Operation): { expression: string; list?: string } {
  const { type, path, at } = operation;
  if (type !== 'insert' && type !== 'move') return { expression: path };
  const [, expression = '%resource', list] = /^(?:(.*)\.)?\s*([A-Za-z]\w*)\s*$/s.exec(path) ?? [];
  if (list === undefined) throw invalid(at, `${type} needs the path of a list, such as Patient.name`);
  return { expression, list };
}

/** Does one operation on `root`, changing it. Throws 400 for what does not fit there. */
export function applyOperation(root: Json, operation: Operation, places: readonly Place[], forbidden: Forbidden): void {
  const { at, type, path } = operation;
  if (places.length === 0 && type === 'delete') return;
  const [place] = places;
  if (!place) throw invalid(at, `there is nothing at ${path}`);
  if (places.length > 1) throw invalid(at, `there are ${places.length} elements at ${path}: it must lead to one`);
  const { list } = whereOf(operation);
  const name = type === 'add' ? operation.name : list;
  refuse(at, name === undefined ? place : [...place, name], forbidden);
  if (type === 'delete') remove(at, spotsTo(root, place));
  else if (type === 'replace') replace(at, spotsTo(root, place).at(-1), operation.given);
  else changeWithin(objectAt(root, place), operation, String(name));
}

type Within = Extract<Operation, { type: 'add' | 'insert' | 'move' }>;

function changeWithin({ holder, path }: ReturnType<typeof objectAt>, operation: Within, name: string): void {
  const { at, type } = operation;
  const element = elementNamed(path, name);
  if (!element) throw invalid(at, `${path || 'this'} has no element ${name.slice(0, 80)}`);
  if (type !== 'add' && !element.array) throw invalid(at, `${element.name} is no list`);
  const length = (holder[element.name] as unknown[] | undefined)?.length ?? 0;
  if (type === 'add') add(at, holder, element, path, operation.given);
  else if (type === 'move') move(at, holder, element.name, operation, length);
  else if (operation.index <= length) insert(holder, operation.index, written(at, element, path, operation.given));
  else throw invalid(at, `index is beyond the end of the list, which has ${length}`);
}

function refuse(at: number, place: Place, forbidden: Forbidden): void {
  const found = forbidden.find((pointer) => `/${place.join('/')}/`.startsWith(`${pointer}/`));
  if (found !== undefined) throw invalid(at, `${found.slice(1)} cannot be changed`);
}

type Written = { key: string; value: unknown; more: unknown };

/** As a property: of a choice the one of this type. */
function written(at: number, element: ElementSpec, path: string, given: Given): Written {
  const { name, choice, types } = element;
  if ('parts' in given) {
    if (choice) throw invalid(at, `${name} has a type: give a value of it`);
    return { key: name, value: fromParts(at, pathBelow(path, name, undefined), given.parts), more: undefined };
  }
  const { type, value, more } = given;
  const key = choice ? name + type : name;
  if (choice && !types.some(({ code }) => choiceProperty(name, code) === key))
    throw invalid(at, `${name} cannot be of the type ${type.slice(0, 80)}`);
  return { key, value: cloneJson(value), more: cloneJson(more) };
}

/** An element without a type of its own (R4 fhirpatch): each part is one of its elements. */
function fromParts(at: number, path: string, parts: readonly { name: string; given: Given }[]): Json {
  const made: Json = {};
  for (const { name, given } of parts) {
    const element = elementNamed(path, name);
    if (!element) throw invalid(at, `${path || 'this'} has no element ${name.slice(0, 80)}`);
    add(at, made, element, path, given);
  }
  return made;
}

function add(at: number, holder: Json, element: ElementSpec, path: string, given: Given): void {
  const what = written(at, element, path, given);
  const { key, value, more } = what;
  if (element.array) {
    insert(holder, (holder[key] as unknown[] | undefined)?.length ?? 0, what);
    return;
  }
  const { name, choice, types } = element;
  const keys = choice ? types.map(({ code }) => choiceProperty(name, code)) : [name];
  if (keys.some((each) => Object.hasOwn(holder, each) || Object.hasOwn(holder, besideOf(each))))
    throw invalid(at, `${name} is there already: replace it`);
  put(holder, key, value, more);
}

function put(holder: Json, key: string, value: unknown, more: unknown): void {
  if (value !== undefined) holder[key] = value;
  if (more !== undefined) holder[besideOf(key)] = more;
}

function insert(holder: Json, index: number, { key, value, more }: Written): void {
  const list = (holder[key] as unknown[] | undefined) ?? [];
  const beside = holder[besideOf(key)] as unknown[] | undefined;
  holder[key] = list.toSpliced(index, 0, value ?? null);
  if (beside) holder[besideOf(key)] = filled(beside, list.length).toSpliced(index, 0, more ?? null);
  else if (more !== undefined) setIn(holder, besideOf(key), index, more, list.length + 1);
}

function move(
  at: number,
  holder: Json,
  key: string,
  { source, destination }: { source: number; destination: number },
  length: number,
): void {
  if (source >= length || destination >= length) throw invalid(at, `the list has ${length}: there is no such place`);
  for (const each of [key, besideOf(key)]) {
    if (!Array.isArray(holder[each])) continue;
    const list = filled(holder[each], length);
    holder[each] = list.toSpliced(source, 1).toSpliced(destination, 0, list[source]);
  }
}

function filled(list: readonly unknown[], length: number): unknown[] {
  return Array.from({ length: Math.max(length, list.length) }, (_, at) => list[at] ?? null);
}

function replace(at: number, spot: Spot | undefined, given: Given): void {
  if (!spot) throw invalid(at, 'the resource itself cannot be replaced: PUT it');
  const { holder, key: before, index, path } = spot;
  const element = elementNamed(path, before);
  if (!element) throw invalid(at, `${path || 'this'} has no element ${before.slice(0, 80)}`);
  const { key, value, more } = written(at, element, path, given);
  if (index === undefined) {
    delete holder[before];
    delete holder[besideOf(before)];
    put(holder, key, value, more);
    return;
  }
  const list = holder[key] as unknown[];
  holder[key] = list.with(index, value ?? null);
  if (more !== undefined || Array.isArray(holder[besideOf(key)]))
    setIn(holder, besideOf(key), index, more, list.length);
}

/** With what stands empty without it. */
function remove(at: number, spots: readonly Spot[]): void {
  if (spots.length === 0) throw invalid(at, 'the resource itself cannot be deleted so: DELETE it');
  for (const { holder, key, index } of spots.toReversed()) {
    take(holder, key, index);
    if (Object.keys(holder).length > 0) return;
  }
}

function take(holder: Json, key: string, index: number | undefined): void {
  for (const each of key.startsWith('_') ? [key] : [key, besideOf(key)]) {
    const list = holder[each];
    if (index === undefined) delete holder[each];
    else if (!Array.isArray(list)) continue;
    else {
      // What is beside the others keeps its place.
      holder[each] = key.startsWith('_') ? list.with(index, null) : list.toSpliced(index, 1);
      if (each.startsWith('_')) dropIfEmpty(holder, each);
      else if (list.length === 1) delete holder[each];
    }
  }
}
