import { isFhirId } from '#lib/protocol/fhir/references.ts';
import { requireActor } from '../../access/context.ts';
import { mayReach } from '../../access/policy.ts';
import { lockChosen, mayChooseId, refuseVersion } from '../create-at.ts';
import type { Written } from '../written.ts';
import { createMany, type Given, type Inner, isPlain, lockAll } from './change-many.ts';
import { atStep } from './steps.ts';

/**
 * As `createAt`, of many that are valid: those whose ids are free, by index. Their ids are locked in one order, so that two transactions that
 * want the same never wait for each other: the second finds them taken.
 */
export async function createManyAt(ctx: Inner, steps: readonly Given[]): Promise<Map<number, Written>> {
  const actor = requireActor(ctx);
  const wanted = steps.filter(({ type, id }) => {
    return isPlain(type, 'create') && mayChooseId(actor, type) && isFhirId(id) && mayReach(actor, type, 'create');
  });
  if (wanted.length === 0) return new Map();
  await lockChosen(ctx.write.tx, actor.projectId, wanted);
  const isTaken = await lockAll(ctx, wanted);
  const free = wanted.filter((step) => !isTaken(step));
  for (const { index, given } of free) await atStep(index, () => refuseVersion(given));
  const rows = await createMany(ctx, free);
  return new Map(free.map(({ index }, at) => [index, { row: rows[at]!, created: true, changed: true }]));
}
