import { numberOf } from '../../json/json.ts';
import { parseInterval } from '../index/date-range.ts';

/** An element whose structure has been judged and is sound. */
export type Node = Readonly<Record<string, unknown>>;
/** Whether an invariant holds for the element at its path. */
export type Holds = (node: Node) => boolean;
/** By path of the element, by key of the invariant (`pat-1`). */
export type Rules = Readonly<Record<string, Readonly<Record<string, Holds>>>>;

export const UCUM = 'http://unitsofmeasure.org';

/** `name.exists()`: a primitive that has only extensions exists as well. */
export function has(node: Node, name: string): boolean {
  return node[name] !== undefined || node[`_${name}`] !== undefined;
}

export function hasAny(node: Node, ...names: string[]): boolean {
  return names.some((name) => has(node, name));
}

export function countOf(node: Node, ...names: string[]): number {
  return names.filter((name) => has(node, name)).length;
}

/** `value[x].exists()` */
export function hasChoice(node: Node, name: string): boolean {
  for (const key in node) {
    const start = key.startsWith('_') ? 1 : 0;
    const next = key.charCodeAt(start + name.length);
    if (next >= 65 && next <= 90 && key.startsWith(name, start) && node[key] !== undefined) return true;
  }
  return false;
}

/** The elements of this name: none, one or many. Of primitives only those that have a value. */
export function items(node: Node, name: string): Node[] {
  const value = node[name];
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value.filter((item) => item !== null) : [value]) as Node[];
}

export function child(node: Node, name: string): Node | undefined {
  return node[name] as Node | undefined;
}

export function hasCoding(node: Node, name: string, system: string, codes: readonly string[]): boolean {
  return items(node, name)
    .flatMap((concept) => items(concept, 'coding'))
    .some((coding) => coding.system === system && codes.includes(String(coding.code)));
}

export function isDistinct(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}

/** Numbers are compared by value; undefined where one is missing. */
export function number(node: Node | undefined, name = 'value'): number | undefined {
  return numberOf(node?.[name]);
}

/** Whether `first` may stand before or at `second`. Dates of which that cannot be told may. */
export function isOrdered(first: unknown, second: unknown): boolean {
  if (typeof first !== 'string' || typeof second !== 'string') return true;
  // As far as they are told, and in the same zone: their texts have the order of what they say.
  if (first.length === second.length && first.slice(19) === second.slice(19)) return first <= second;
  const [before, after] = [parseInterval(first), parseInterval(second)];
  return !before || !after || before.lo <= after.hi;
}

/** The same for quantities, where both have the same unit. */
export function isAtMost(low: Node | undefined, high: Node | undefined): boolean {
  const [least, most] = [number(low), number(high)];
  const isComparable = low?.code === high?.code && low?.system === high?.system && low?.unit === high?.unit;
  return least === undefined || most === undefined || !isComparable || least <= most;
}

/** Every element of this name, at any depth below it. Walks what is below `name` only. */
export function nested(node: Node, name: string, visit: (item: Node) => void): void {
  for (const item of items(node, name)) {
    visit(item);
    nested(item, name, visit);
  }
}
