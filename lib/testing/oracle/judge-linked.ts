import type { Resource } from '#lib/protocol/fhir/types.ts';
import { type Asked, judge } from './judge.ts';
import { officialsOf, readValues } from './read-values.ts';

/** What a search asks of other resources: those that `code` leads to, or those that lead here by it. */
export type Linked = { way: 'to' | 'from'; code: string; type?: string; then: Linked | Asked };

/** Does any resource at the end of the chain match? Read one after the other, as R4 tells it. */
export function judgeLinked(world: readonly Resource[], resource: Resource, asked: Linked | Asked): boolean {
  if (!('way' in asked)) return knows(resource.resourceType, asked.code) && judge(resource, asked);
  const { way, code, type, then } = asked;
  const near =
    way === 'to'
      ? world.filter((other) => refersTo(resource, code, other) && (type ?? other.resourceType) === other.resourceType)
      : world.filter((other) => other.resourceType === type && refersTo(other, code, resource));
  return near.some((other) => judgeLinked(world, other, then));
}

/** Whether a reference parameter of a resource leads to another one. */
export function refersTo(resource: Resource, code: string, other: Resource): boolean {
  return referred(resource, code).has(`${other.resourceType}/${other.id}`);
}

const read = new WeakMap<Resource, Map<string, Set<string | undefined>>>();

/** What a parameter names. Each is read once: a world is asked for everything that refers to everything. */
function referred(resource: Resource, code: string): Set<string | undefined> {
  const byCode = read.get(resource) ?? new Map<string, Set<string | undefined>>();
  read.set(resource, byCode);
  const known = byCode.get(code);
  if (known) return known;
  const param = officialsOf(resource.resourceType).find((one) => one.code === code);
  const items = param ? (readValues(param.expression, resource) as { reference?: string }[]) : [];
  const names = new Set(items.map(({ reference }) => reference));
  byCode.set(code, names);
  return names;
}

export function knows(type: string, code: string): boolean {
  return officialsOf(type).some((known) => known.code === code);
}

/** The name of the parameter: `a:Type.b`, `_has:Type:a:b`. */
export function nameOf(asked: Linked | Asked): string {
  if (!('way' in asked)) return asked.modifier ? `${asked.code}:${asked.modifier}` : asked.code;
  const { way, code, type, then } = asked;
  if (way === 'from') return `_has:${type}:${code}:${nameOf(then)}`;
  return `${type ? `${code}:${type}` : code}.${nameOf(then)}`;
}

export function valuesOf(asked: Linked | Asked): string[] {
  return 'way' in asked ? valuesOf(asked.then) : asked.values;
}
