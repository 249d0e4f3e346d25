import { AppError, notFound } from '#lib/base/errors.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { applyJsonPatch } from '#lib/protocol/json/json-patch.ts';
import { type Actor, type Ctx, requireActor } from '../access/context.ts';
import { reach } from '../access/policy.ts';
import { write } from '../audit/write.ts';
import { type Row, toResource } from '../store/row.ts';
import { changeResource, type Next } from './change-resource.ts';
import { refuseClosed } from './locate.ts';
import type { Preconditions } from './preconditions.ts';
import { findMatch } from './search/find-match.ts';
import { shown } from './shown.ts';
import { takeIn } from './take-in.ts';
import type { Written } from './written.ts';

/** What a patch cannot touch: the store gives these. */
const FORBIDDEN = ['/resourceType', '/id', '/meta/versionId', '/meta/lastUpdated'];

/** PATCH with the operations of a JSON Patch: all or none, on the stored version, locked; the result is validated as a whole. */
export async function patchResource(
  ctx: Ctx,
  type: string,
  id: string,
  operations: unknown,
  given: Preconditions = {},
): Promise<Written> {
  const actor = requireActor(ctx);
  return changeResource(ctx, type, id, given, patched(actor, operations));
}

/** PATCH with a condition instead of an id: the one match; 404 for none, 412 for several. */
export async function patchMatching(
  ctx: Ctx,
  type: string,
  condition: string,
  operations: unknown,
  given: Preconditions = {},
): Promise<Written> {
  const actor = requireActor(ctx);
  typeId(type);
  refuseClosed(actor, type, 'update');
  reach(actor, type, 'update');
  return write<Written>(ctx, async (_, inner) => {
    const row = await findMatch(inner, type, condition);
    if (!row) throw notFound();
    return changeResource(inner, type, row.id, given, patched(actor, operations));
  });
}

/** On what the caller sees: a `test` operation must not find out what is hidden from them. */
function patched(actor: Actor, operations: unknown): Next {
  return (current: Row, inner: Ctx) => {
    if (current.deleted) throw new AppError('gone', 'Deleted');
    const document = toResource(shown(actor, current));
    const next = applyJsonPatch(document, operations, { forbidden: FORBIDDEN });
    return takeIn(inner, current.type, next, current.id);
  };
}
