import type { AccessPolicy } from '#lib/protocol/fhir/types.ts';

/** Of policies one upon the other; and of all that one stands on, itself among them. */
export const DEEPEST = 8;
export const MOST_ANCESTORS = 100;

/** By reference. */
export type Policies = ReadonlyMap<string, AccessPolicy>;
export type Ancestor = { reference: string; policy: AccessPolicy };

/** What a policy names that it is based on. A reference that says nothing is no limit less: it names what is not there. */
export function basesOf({ basedOn = [] }: Pick<AccessPolicy, 'basedOn'>): string[] {
  return basedOn.map(({ reference = '' }) => reference);
}

/** A policy and all that it is based on, in the order in which their rules count: its own first. Undefined, and so worth nothing, where one of them is not there, in a circle, or beyond the bounds. */
export function lineageOf(reference: string, policies: Policies): Ancestor[] | undefined {
  const policy = policies.get(reference);
  if (!policy) return undefined;
  if (!policy.basedOn?.length) return [{ reference, policy }];
  const found = new Map<string, AccessPolicy>();
  return collect(reference, policies, found, new Set())
    ? [...found].map(([name, each]) => ({ reference: name, policy: each }))
    : undefined;
}

function collect(name: string, policies: Policies, found: Map<string, AccessPolicy>, path: Set<string>): boolean {
  const policy = policies.get(name);
  if (!policy || path.has(name) || path.size >= DEEPEST || found.size > MOST_ANCESTORS) return false;
  if (found.has(name)) return true;
  found.set(name, policy);
  path.add(name);
  const isWhole = basesOf(policy).every((base) => collect(base, policies, found, path));
  path.delete(name);
  return isWhole && found.size <= MOST_ANCESTORS;
}

/** Whether it says from where it is used. */
export function isPlaced(lineage: readonly Ancestor[]): boolean {
  return lineage.some(({ policy: { ipAccessRule = [] } }) => ipAccessRule.length > 0);
}

/** Whose bases are wanted, and are not among those that are known. */
export function missingOf(
  policies: Iterable<Pick<AccessPolicy, 'basedOn'>>,
  known: { has(name: string): boolean },
): string[] {
  const wanted = [...policies].flatMap((policy) => (policy.basedOn ? basesOf(policy) : []));
  return [...new Set(wanted)].filter((name) => !known.has(name));
}
