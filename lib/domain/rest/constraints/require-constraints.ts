import { AppError } from '#lib/base/errors.ts';
import { askNow } from '#lib/infra/fhirpath/ask.ts';
import type { Resource, Stored } from '#lib/protocol/fhir/types.ts';
import { type Ctx, requireActor } from '../../access/context.ts';
import type { Holds } from '../../access/fields.ts';
import { covers } from '../../access/policy.ts';
import { refused } from '../../access/refused.ts';
import type { Rule } from '../../access/rule.ts';
import { type Row, toStoredText } from '../../store/row.ts';
import { judgeOf, judgeResource } from '../../store/visible-row.ts';
import { fhirPathBudget } from './fhirpath-budget.ts';

/** `holds`: which rules do of `after`, where that was asked already. */
type Change = { current?: Row; after: Stored<Resource>; holds?: Holds | undefined };

/**
 * 403 unless rules whose `writeConstraint`s are true of this change let the caller make it: FHIRPath over `%before`, which a creation has not,
 * and `%after`, and the parameters of the policy as texts. Nothing is evaluated where rules without constraints are enough.
 */
export async function requireConstraints(
  ctx: Ctx,
  interaction: 'create' | 'update',
  { current, after, holds }: Change,
): Promise<void> {
  const actor = requireActor(ctx);
  const { policy, projectId } = actor;
  const type = after.resourceType;
  const rules = policy.rules.filter((r) => covers(r, type, interaction));
  const constrained = rules.filter(({ constraint }) => constraint);
  if (constrained.length === 0) return;
  const before = current && current.content !== null ? current : undefined;
  const q = ctx.write?.tx;
  const ends = [
    holds ?? (await judgeResource(actor, projectId, after, q)),
    ...(before ? [await judgeOf(actor, before, q)] : []),
  ];
  const meeting = rules.filter(({ constraint }) => !constraint);
  const isEnough = () => ends.every((holds) => meeting.some((r) => holds(r)));
  for (const r of [undefined, ...constrained]) {
    if (r && ends.some((holds) => holds(r)) && (await isMet(ctx, r, before, after))) meeting.push(r);
    if (isEnough()) return;
  }
  const text = `Your access policy does not let you ${interaction === 'create' ? 'create' : 'change'} this ${type} so`;
  throw refused(type, interaction, text, current ? after.id : undefined);
}

async function isMet(ctx: Ctx, r: Rule, before: Row | undefined, after: Stored<Resource>): Promise<boolean> {
  return (await unmetOf(ctx, r, before, after)).length === 0;
}

/** Which of a rule's constraints are not true of the change, by their place in it. Of one that is explained each rule is asked once. */
export async function unmetOf(
  ctx: Ctx,
  { constraint }: Rule,
  before: Row | undefined,
  after: Stored<Resource>,
): Promise<number[]> {
  const { expressions = [], variables = {} } = constraint ?? {};
  const name = JSON.stringify([expressions, variables]);
  const known = ctx.judging?.unmet.get(name);
  if (known) return known;
  const named = Object.entries(variables).map(([name, values]) => `${JSON.stringify(name)}:${JSON.stringify(values)},`);
  const was = before ? `"before":${toStoredText(before)},` : '';
  const text = `{${named.join('')}${was}"after":${JSON.stringify(after)}}`;
  const names = [...new Set([...Object.keys(variables), 'before', 'after'])];
  const questions = expressions.map((expression) => {
    return { at: ['after'], path: after.resourceType, expression, wants: 'decision' as const, variables: names };
  });
  const budget = fhirPathBudget(ctx);
  const begun = performance.now();
  const answers = budget.leftMs > 0 ? await askNow(requireActor(ctx).projectId, text, questions) : ['unknown' as const];
  budget.leftMs -= performance.now() - begun;
  if (answers.includes('unknown')) {
    throw new AppError(
      'too-costly',
      'What your access policy asks of this change takes too long to judge; try again in a while',
    );
  }
  const unmet = answers.flatMap((answer, at) => (answer === 'true' ? [] : [at]));
  ctx.judging?.unmet.set(name, unmet);
  return unmet;
}
