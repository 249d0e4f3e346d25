import { AppError } from '#lib/base/errors.ts';
import { addLabels, deleteLabels, type Labels } from '#lib/protocol/fhir/labels.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { toResource } from '../store/row.ts';
import { changeResource } from './change-resource.ts';
import type { Preconditions } from './preconditions.ts';
import { shown } from './shown.ts';
import { takeIn } from './take-in.ts';
import type { Written } from './written.ts';

/**
 * Profiles, tags and security labels put on a resource, or taken from it (R4 Resource-meta-add, Resource-meta-delete): an update, with its rights,
 * before and after, its version and its audit row. What is there already, or not there, changes nothing.
 */
export function changeLabels(
  ctx: Ctx,
  { type, id }: { type: string; id: string },
  how: 'add' | 'delete',
  labels: Labels,
  given: Preconditions = {},
): Promise<Written> {
  const actor = requireActor(ctx);
  const change = how === 'add' ? addLabels : deleteLabels;
  return changeResource(ctx, type, id, given, async (current, inner) => {
    if (current.deleted) throw new AppError('gone', 'Deleted');
    const before = toResource(await shown(actor, current, inner.write?.tx));
    return takeIn(inner, type, { ...before, meta: withoutNothing(change(before.meta ?? {}, labels)) }, id);
  });
}

function withoutNothing(meta: object): object {
  return Object.fromEntries(Object.entries(meta).filter(([, value]) => value !== undefined));
}
