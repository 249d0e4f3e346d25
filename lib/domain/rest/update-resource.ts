import { AppError } from '#lib/base/errors.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { reach } from '../access/policy.ts';
import { write } from '../audit/write.ts';
import { changeResource } from './change-resource.ts';
import { createAt, mayChooseId, refuseTaken } from './create-at.ts';
import { createResource } from './create-resource.ts';
import { locate, refuseClosed } from './locate.ts';
import type { Preconditions } from './preconditions.ts';
import { findMatch } from './search/find-match.ts';
import { takeIn } from './take-in.ts';
import type { Written } from './written.ts';

/**
 * PUT: the whole resource. Ids are ours to give, so an unknown id is 404, unless the project lets its callers choose them; a deleted resource
 * comes back (201).
 */
export async function updateResource(
  ctx: Ctx,
  type: string,
  id: string,
  body: unknown,
  given: Preconditions = {},
): Promise<Written> {
  const actor = requireActor(ctx);
  typeId(type);
  await locate(actor, type, id, 'update');
  const resource = await takeIn(ctx, type, body, id);
  const created = await createAt(ctx, resource, id, given);
  if (created) return created;
  return changeResource(ctx, type, id, given, () => resource);
}

/**
 * PUT with a condition instead of an id (R4 http §3.1.0.4.3): updates the one match, creates when there is none. 412 for several,
 * 400 when the body carries another id than the match, or an id and there is no match.
 */
export async function updateMatching(
  ctx: Ctx,
  type: string,
  condition: string,
  body: unknown,
  given: Preconditions = {},
): Promise<Written> {
  const actor = requireActor(ctx);
  typeId(type);
  refuseClosed(actor, type, 'update');
  reach(actor, type, 'update');
  const resource = await takeIn(ctx, type, body);
  return write<Written>(ctx, async (_, inner) => {
    const row = await findMatch(inner, type, condition);
    if (!row && resource.id !== undefined && mayChooseId(actor, type)) return createChosen(inner, resource, given);
    refuseOtherId(resource, row?.id);
    return row
      ? await changeResource(inner, type, row.id, given, () => resource)
      : await createResource(inner, type, resource);
  });
}

/** Nothing matches, and the body says under which id it is to be. */
async function createChosen(ctx: Ctx, resource: Resource, given: Preconditions): Promise<Written> {
  const { resourceType: type, id = '' } = resource;
  const created = await createAt(ctx, resource, id, given);
  return created ?? refuseTaken(type, id);
}

/** 400 where the body is another resource than the one that the condition means. */
export function refuseOtherId({ resourceType, id }: Resource, matched: string | undefined): void {
  if (id === undefined || id === matched) return;
  const text = matched
    ? `The condition matches ${resourceType}/${matched}, not ${id}`
    : 'Nothing matches, and a new resource gets its id from us';
  throw new AppError('invalid', text, { expression: `${resourceType}.id` });
}
