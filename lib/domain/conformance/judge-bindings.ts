import { AppError } from '#lib/base/errors.ts';
import { createLiveCache } from '#lib/infra/db/live-cache.ts';
import type { Bound } from '#lib/protocol/fhir/profiles/scene.ts';
import { expressionOf, type Finding } from '#lib/protocol/fhir/validate/check-context.ts';
import { definitionsTag } from '../access/cache-tags.ts';
import { type Ctx, requireActor, type Write } from '../access/context.ts';
import { INTERACTIONS } from '../access/policy.ts';
import { findInSet } from '../terminology/expand.ts';

/** Codes that are asked of the terminology for one resource and profile: each is some statements. */
const MOST_ASKED = 100;
/** A longer one is in no set, and no name of one. */
const MAX_TEXT = 1000;

/** Whether it is there, or why nobody can say. */
type Known = { isIn: boolean } | { why: string };
type Code = { code: string; system?: string };

const known = createLiveCache<Known>(20_000);
/** What was found in a transaction, which may have written the sets: it may write thousands of resources with the same codes. */
const within = new WeakMap<Write, Map<string, Promise<Known>>>();

/**
 * What the project's terminology says of codes that are bound to sets which are no plain lists. A set that cannot be asked is told as what is not
 * judged, and stands against nobody. Kept until a definition of the project changes.
 */
export async function judgeBindings(ctx: Ctx, type: string, bound: readonly Bound[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  const asked = new Set<string>();
  for (const { valueSet, codes, isPlain, at, strength } of bound) {
    const answers: Known[] = [];
    for (const code of codes) {
      asked.add(keyOf(valueSet, code));
      answers.push(
        asked.size > MOST_ASKED ? { why: 'there are too many codes' } : await isIn(ctx, valueSet, code, isPlain),
      );
      if (isYes(answers.at(-1))) break;
    }
    // Of a concept in words alone: whether there is such a set at all.
    if (codes.length === 0) answers.push(await isIn(ctx, valueSet, { code: '' }, isPlain));
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

async function isIn(ctx: Ctx, valueSet: string, code: Code, isPlain: boolean): Promise<Known> {
  if ([valueSet, code.code, code.system ?? ''].some((text) => text.length > MAX_TEXT)) return { isIn: false };
  const { projectId } = requireActor(ctx);
  const key = `${projectId} ${isPlain} ${keyOf(valueSet, code)}`;
  if (!ctx.write)
    return known.get(key, async () => ({
      value: await find(ctx, valueSet, code, isPlain),
      tags: [definitionsTag(projectId)],
    }));
  const found = within.get(ctx.write) ?? new Map<string, Promise<Known>>();
  within.set(ctx.write, found);
  const answer = found.get(key) ?? find(ctx, valueSet, code, isPlain);
  found.set(key, answer);
  return answer;
}

async function find(ctx: Ctx, valueSet: string, { code, system }: Code, isPlain: boolean): Promise<Known> {
  try {
    const found = await findInSet(asProject(ctx), { url: valueSet }, code);
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
