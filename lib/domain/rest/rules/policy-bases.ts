import { AppError } from '#lib/base/errors.ts';
import type { AccessPolicy } from '#lib/protocol/fhir/types.ts';
import { isUnbearable } from '../../access/access-weight.ts';
import { basesOf, DEEPEST, lineageOf, MOST_ANCESTORS, type Policies } from '../../access/lineage.ts';
import { findDependents } from '../../store/policies/find-dependents.ts';
import { type Finding, findLineages } from '../../store/policies/find-policies.ts';

type Of = Finding & { projectId: string; own: string };

/**
 * All that a policy is based on is there, in no circle and within bounds, also for the policies that are based on it. `own`: its reference; with `stays`, what it is
 * based on is kept until the transaction ends. Returns what that is. Throws 400 naming which of `basedOn` is not so.
 */
export async function requireBases(policy: AccessPolicy, { projectId, own, ...finding }: Of): Promise<Policies> {
  const bases = basesOf(policy);
  if (bases.length === 0) return new Map();
  const found = await findLineages(projectId, bases, finding);
  const policies = new Map([...found, [own, policy]]);
  for (const [at, base] of bases.entries()) {
    if (!found.has(base)) throw wrong(at, `${base} does not exist in this project`);
    if (standsOn(base, own, policies)) throw wrong(at, `${base} is based on this policy itself`);
    if (!lineageOf(base, policies)) throw wrong(at, `${base} is broken: something that it is based on is not there`);
  }
  const heights = bases.map((base) => heightOf(base, policies));
  const tallest = heights.indexOf(Math.max(...heights));
  const { steps, isAll } = await findDependents(projectId, own, finding.q);
  const above = Math.max(0, ...steps.values());
  if (above + 1 + heights[tallest]! > DEEPEST)
    throw wrong(tallest, `Policies are based on each other over at most ${DEEPEST} steps`);
  if (!isAll) throw wrong(0, 'Too many policies are based on this one, so that it is based on none itself');
  if (!lineageOf(own, policies))
    throw wrong(bases.length - 1, `A policy stands on at most ${MOST_ANCESTORS} policies in all`);
  const heavy = bases.findIndex((_, at) =>
    isUnbearable({ ...policy, basedOn: policy.basedOn!.slice(0, at + 1) }, found),
  );
  if (heavy >= 0)
    throw wrong(
      heavy,
      'The rules of a policy, with all that it is based on and what %profile and %now make of them, come to at most 2 MiB',
    );
  return found;
}

function standsOn(name: string, own: string, policies: Policies): boolean {
  const names = new Set([name]);
  // What is put there meanwhile is looked at, too.
  for (const each of names) for (const base of basesOf(policies.get(each) ?? {})) names.add(base);
  return names.has(own);
}

/** Of policies one upon the other, of which none is in a circle. */
function heightOf(name: string, policies: Policies): number {
  return 1 + Math.max(0, ...basesOf(policies.get(name) ?? {}).map((base) => heightOf(base, policies)));
}

function wrong(at: number, text: string): AppError {
  return new AppError('invalid', text, { expression: `AccessPolicy.basedOn[${at}]` });
}
