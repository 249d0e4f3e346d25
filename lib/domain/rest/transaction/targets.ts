import { AppError, notFound } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { type Actor, type Ctx, requireActor } from '../../access/context.ts';
import { mayChooseId } from '../create-at.ts';
import { requireRight } from '../require-right.ts';
import { refuseOtherId } from '../update-resource.ts';
import { isPlain } from './change-many.ts';
import type { Match } from './find-matches.ts';
import { atStep, type Step, StepError, type Target } from './steps.ts';

const INTERACTIONS = { create: 'create', update: 'update', patch: 'update', delete: 'delete' } as const;

/**
 * What each step is about, from what there is before anything changes. Permission first: `findMatches` is asked after it. Throws 412 for a
 * condition that several resources match, 400 where two steps are about the same one.
 */
export async function toTargets(
  ctx: Ctx,
  steps: readonly Step[],
  findMatches: () => Promise<Match[]>,
): Promise<Map<number, Target>> {
  const allowed = new Set<string>();
  for (const { index, verb, type, id = '' } of steps) {
    if (verb === 'read') continue;
    const name = `${verb} ${type}${isPlain(type, verb === 'patch' ? 'update' : verb) ? '' : `/${id}`}`;
    if (allowed.has(name)) continue;
    await atStep(index, () => requireRight(ctx, type, INTERACTIONS[verb], id || undefined));
    allowed.add(name);
  }
  const matches = new Map((await findMatches()).map((match) => [match.index, match]));
  const targets = new Map<number, Target>();
  const taken = new Map<string, number>();
  for (const step of steps) {
    if (step.verb === 'read') continue;
    const match = matches.get(step.index);
    const target = await atStep(step.index, () => toTarget(requireActor(ctx), step, match));
    targets.set(step.index, target);
    for (const name of namesOf(step, target, match)) {
      const first = taken.get(name);
      if (first !== undefined) throw new StepError(step.index, overlap(first));
      taken.set(name, step.index);
    }
  }
  return targets;
}

/** What no other step may be about: the resource, and where it is none yet, what the condition means. */
function namesOf({ type }: Step, { id, isNew, isChosen }: Target, match: Match | undefined): string[] {
  const names = id === undefined || isNew ? [] : [`${type}/${id}`];
  return match && (names.length === 0 || isChosen) ? [...names, match.key] : names;
}

function toTarget(actor: Actor, step: Step, match: Match | undefined): Target {
  const { verb, type, resource } = step;
  if (match && match.rows.length > 1) {
    const expression = verb === 'create' ? 'if-none-exist' : undefined;
    throw new AppError('multiple-matches', `Several ${type} resources match the condition`, { expression });
  }
  const row = match?.rows[0];
  const chosen = match && !row && verb === 'update' && mayChooseId(actor, type) ? resource!.id : undefined;
  if (chosen !== undefined) return { id: chosen, isChosen: true };
  if (match && verb === 'update') refuseOtherId(resource!, row?.id);
  if (row) return { id: row.id, row };
  if (verb === 'create' || (match && verb === 'update')) {
    return { id: isPlain(type, 'create') ? newId() : undefined, isNew: true };
  }
  if (match && verb === 'patch') throw notFound();
  return { id: step.id };
}

function overlap(first: number): AppError {
  return new AppError('invalid', `Bundle.entry[${first}] is about the same resource`);
}
