import { AppError } from '#lib/base/errors.ts';
import { createLiveCache } from '#lib/infra/db/live-cache.ts';
import type { Bound } from '#lib/protocol/fhir/profiles/scene.ts';
import { expressionOf, type Finding } from '#lib/protocol/fhir/validate/check-context.ts';
import { definitionsTag } from '../access/cache-tags.ts';
import { type Ctx, requireActor, type Write } from '../access/context.ts';
import { INTERACTIONS } from '../access/rule.ts';
import { findInSet } from '../terminology/expand.ts';
import { seesTerminology } from './seen-sets.ts';

/** Codes that are asked of the terminology for one resource and profile: each is some statements. */
const MOST_ASKED = 100;
/** A longer one is in no set, and no name of one. */
const MAX_TEXT = 1000;

/** Whether it is there, or why nobody can say. */
type Known = { isIn: boolean } | { why: string };
type Code = { code: string; system?: string };
type Question = { valueSet: string; code: Code; isPlain: boolean };
/** `hidden`: asked by who does not see all of the terminology; what they are told is theirs alone, and kept for this resource. */
type Job = { ctx: Ctx; hidden: Map<string, Promise<Known>> | undefined };

const known = createLiveCache<Known>(20_000);
/** What was found in a transaction, which may have written the sets: it may write thousands of resources with the same codes. */
const within = new WeakMap<Write, Map<string, Promise<Known>>>();

/**
 * What the project's terminology says of codes that are bound to sets which are no plain lists. A set that cannot be asked is told as what is not
 * judged, and stands against nobody. Kept until a definition of the project changes. `as`: by what the caller may search, or by all that there is.
 */
export async function judgeBindings(
  ctx: Ctx,
  type: string,
  bound: readonly Bound[],
  as: 'caller' | 'project',
): Promise<Finding[]> {
  const isHidden = as === 'caller' && !seesTerminology(requireActor(ctx));
  const job: Job = { ctx, hidden: isHidden ? new Map() : undefined };
  const findings: Finding[] = [];
  const asked = new Set<string>();
  for (const { valueSet, codes, isPlain, at, strength } of bound) {
    const answers: Known[] = [];
    for (const code of codes) {
      asked.add(keyOf(valueSet, code));
      answers.push(
        asked.size > MOST_ASKED ? { why: 'there are too many codes' } : await isIn(job, { valueSet, code, isPlain }),
      );
      if (isYes(answers.at(-1))) break;
    }
    // Of a concept in words alone: whether there is such a set at all.
    if (codes.length === 0) answers.push(await isIn(job, { valueSet, code: { code: '' }, isPlain }));
    const expression = expressionOf([type, ...at]);
    const unknown = answers.find((answer) => 'why' in answer);
    if (answers.some(isYes)) continue;
    if (unknown) {
      const severity = strength === 'required' ? 'warning' : 'information';
      findings.push({
        severity,
        code: 'informational',
        text: `Not checked against ${valueSet}: ${unknown.why}`,
        expression,
      });
    } else if (strength === 'required')
      findings.push({ severity: 'error', code: 'code-invalid', text: `Needs a code of ${valueSet}`, expression });
    else {
      const text = `Has no code of ${valueSet}: another is right only where none of that fits`;
      findings.push({ severity: 'warning', code: 'code-invalid', text, expression });
    }
  }
  return findings;
}

function isYes(answer: Known | undefined): boolean {
  return answer !== undefined && 'isIn' in answer && answer.isIn;
}

function keyOf(valueSet: string, { code, system }: Code): string {
  return JSON.stringify([valueSet, code, system]);
}

async function isIn({ ctx, hidden }: Job, question: Question): Promise<Known> {
  const { valueSet, code, isPlain } = question;
  if ([valueSet, code.code, code.system ?? ''].some((text) => text.length > MAX_TEXT)) return { isIn: false };
  const { projectId } = requireActor(ctx);
  const key = `${projectId} ${isPlain} ${keyOf(valueSet, code)}`;
  if (hidden) return once(hidden, key, () => find(ctx, question));
  if (!ctx.write)
    return known.get(key, async () => ({
      value: await find(asProject(ctx), question),
      tags: [definitionsTag(projectId)],
    }));
  const found = within.get(ctx.write) ?? new Map<string, Promise<Known>>();
  within.set(ctx.write, found);
  return once(found, key, () => find(asProject(ctx), question));
}

function once(found: Map<string, Promise<Known>>, key: string, ask: () => Promise<Known>): Promise<Known> {
  const answer = found.get(key) ?? ask();
  found.set(key, answer);
  return answer;
}

async function find(ctx: Ctx, { valueSet, code: { code, system }, isPlain }: Question): Promise<Known> {
  try {
    const found = await findInSet(ctx, { url: valueSet }, code);
    return { isIn: found.some((one) => isPlain || one.system === system) };
  } catch (error) {
    // Not known, or not judged here: the set's fault, and nobody else's.
    if (error instanceof AppError && error.code !== 'unavailable') return { why: error.message };
    throw error;
  }
}

/** A profile means the same for everybody who writes, whatever they may look up themselves; and nobody has read anything. */
function asProject(ctx: Ctx): Ctx {
  const rules = [{ resourceType: '*', interactions: new Set(INTERACTIONS), expr: { op: 'all' } }] as const;
  return { ...ctx, actor: { ...requireActor(ctx), auditReads: false, policy: { rules: [...rules] } } };
}
