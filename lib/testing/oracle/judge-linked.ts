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
function refersTo(resource: Resource, code: string, other: Resource): boolean {
  const param = officialsOf(resource.resourceType).find((known) => known.code === code);
  if (!param) return false;
  const name = `${other.resourceType}/${other.id}`;
  return readValues(param.expression, resource).some((item) => (item as { reference?: string }).reference === name);
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
