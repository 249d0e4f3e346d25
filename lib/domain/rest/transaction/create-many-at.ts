import { Overtaken } from '#lib/infra/db/errors.ts';
import { isFhirId } from '#lib/protocol/fhir/references.ts';
import { requireActor } from '../../access/context.ts';
import { mayReach } from '../../access/policy.ts';
import { inOrder } from '../../store/many/in-order.ts';
import { isTakenMeanwhile, mayChooseId, refuseVersion } from '../create-at.ts';
import type { Written } from '../written.ts';
import { createMany, type Given, type Inner, isPlain } from './change-many.ts';
import { atStep } from './steps.ts';

/**
 * As `createAt`, of many that are valid and of which none was there when their rows were locked: those that the caller may make, by index. They
 * are stored in one order, after what is there was locked, so that two transactions never wait for each other; whoever comes second finds
 * their ids taken, and is done from its beginning.
 */
export async function createManyAt(ctx: Inner, steps: readonly Given[]): Promise<Map<number, Written>> {
  const actor = requireActor(ctx);
  const wanted = steps.filter(({ type, id }) => {
    return isPlain(type, 'create') && mayChooseId(actor, type) && isFhirId(id) && mayReach(actor, type, 'create');
  });
  const ordered = inOrder(wanted, (step) => step);
  for (const { index, given } of ordered) await atStep(index, () => refuseVersion(given));
  const rows = await createMany(ctx, ordered).catch((error: unknown) => {
    throw isTakenMeanwhile(error) ? new Overtaken() : error;
  });
  return new Map(ordered.map(({ index }, at) => [index, { row: rows[at]!, created: true, changed: true }]));
}
