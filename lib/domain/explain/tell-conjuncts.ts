import type { ExplainRequest } from '#lib/protocol/explain/explain-request.ts';
import type { Conjunct, FailedConstraint } from '#lib/protocol/explain/explanation.ts';
import type { Actor } from '../access/context.ts';
import { covers, mayReach, type Policy, scopeCovers } from '../access/policy.ts';
import { findPlaceFault } from '../bounds/within-bounds.ts';
import type { Attempt } from './attempt.ts';
import type { Judges } from './tell-rules.ts';

/** `isBare`: the membership names no policy. */
type Known = { isBare: boolean; result: Attempt; judges: Judges; constraints: readonly FailedConstraint[] };

/** What must all be so, and whether it is: the engine is asked for each by itself. */
export function tellConjuncts(member: Actor, asked: ExplainRequest, known: Known): Conjunct[] {
  const { policy, scope } = member;
  const isAllowed = allows({ policy: { rules: policy.rules } }, asked, known.judges);
  return [
    { name: 'membership', isMet: true, text: asked.membership ? 'The membership is active' : 'A draft, of nobody yet' },
    ...ofRequirement(member, known),
    ofAddress(member, asked),
    ...(policy.scope ? [ofScope(policy, scope, asked, { ...known, isAllowed })] : []),
    { name: 'rules', isMet: isAllowed, text: textOfRules(asked, isAllowed) },
    ...ofConstraints(known),
  ];
}

/** Told where it is why nothing is open. */
function ofRequirement({ requiresPolicy }: Actor, { isBare }: Known): Conjunct[] {
  if (!requiresPolicy || !isBare) return [];
  return [{ name: 'policies', isMet: false, text: 'The project requires a policy, and the membership has none' }];
}

function ofAddress(member: Actor, { address }: ExplainRequest): Conjunct {
  const { policy, bounds, client } = member;
  const isLimited = policy.places !== undefined || bounds.addresses !== undefined || client?.addresses !== undefined;
  if (!isLimited) return { name: 'address', isMet: true, text: 'They may come from every address' };
  if (address === undefined)
    return { name: 'address', isMet: null, text: 'They come from some addresses only: name one to have it judged' };
  const fault = findPlaceFault(member, { remoteAddress: address });
  return { name: 'address', isMet: !fault, text: fault ?? `They may come from ${address}` };
}

type Judged = Known & { isAllowed: boolean };

/** Asked with rules that allow all, there is only the scope left to refuse. */
function ofScope(
  { rules, scope }: Policy,
  text: string,
  asked: ExplainRequest,
  { isAllowed, judges }: Judged,
): Conjunct {
  const said = `The token’s scope is ${text.slice(0, 500) || 'what its client may have'}`;
  if (!isAllowed) return { name: 'scope', isMet: null, text: said };
  return { name: 'scope', isMet: allows({ policy: { rules, ...(scope && { scope }) } }, asked, judges), text: said };
}

function textOfRules({ interaction, resourceType: type, id, resource }: ExplainRequest, isAllowed: boolean): string {
  const what = id === undefined && !resource ? type : `this ${type}`;
  return isAllowed ? `A rule is for ${interaction} of ${what}` : `No rule is for ${interaction} of ${what}`;
}

function ofConstraints({ constraints }: Known): Conjunct[] {
  if (constraints.length === 0) return [];
  const text = `Not true of this change: ${constraints
    .map(({ expression }) => expression)
    .join('; ')
    .slice(0, 1000)}`;
  return [{ name: 'constraints', isMet: false, text }];
}

function allows(
  bound: { policy: Policy },
  { resourceType: type, interaction }: ExplainRequest,
  judges: Judges,
): boolean {
  if (!mayReach(bound, type, interaction)) return false;
  const { rules, scope } = bound.policy;
  return judges.every(
    (holds) =>
      rules.some((r) => covers(r, type, interaction) && holds(r)) &&
      (!scope || scope.some((r) => scopeCovers(r, type, interaction) && holds(r))),
  );
}
