import { notFound } from '#lib/base/errors.ts';
import { type Ctx, requireActor } from '../../access/context.ts';
import { hold } from '../../bytes/held.ts';
import { letGo, takeBytes } from '../../bytes/take-bytes.ts';
import { findRow } from '../../store/find-row.ts';
import { isWithinContext } from '../../store/links/within-context.ts';
import { toResource } from '../../store/row.ts';
import { changeResource, requireChangeable } from '../change-resource.ts';
import { locate } from '../locate.ts';
import type { Preconditions } from '../preconditions.ts';
import type { Written } from '../written.ts';
import { withBytes } from './bytes-of.ts';
import { requireOwnContext } from './context.ts';
import type { RawBinary } from './create-binary.ts';

/**
 * PUT of raw bytes: a new version with them, unless they are the same. What else the Binary says stays; the security context, too, where none is given:
 * nothing is opened by leaving out a header.
 */
export async function updateBinary(ctx: Ctx, id: string, raw: RawBinary, given: Preconditions): Promise<Written> {
  const { projectId } = requireActor(ctx);
  await requireOwnContext(ctx, raw.securityContext);
  await requireReady(ctx, id, given);
  const held = Buffer.isBuffer(raw.bytes) ? hold(raw.bytes) : await takeBytes(projectId, raw.bytes);
  try {
    const written = await changeResource(ctx, 'Binary', id, given, (current) => {
      const before = current.deleted ? { resourceType: 'Binary' } : toResource(current);
      const context = raw.securityContext && { securityContext: raw.securityContext };
      return withBytes({ ...before, contentType: raw.contentType, ...context }, held);
    });
    if (!written.changed) await letGo(projectId, held);
    return written;
  } catch (error) {
    await letGo(projectId, held);
    throw error;
  }
}

/** Before anything is read of the bytes, whatever is asked again when they are there. */
async function requireReady(ctx: Ctx, id: string, given: Preconditions): Promise<void> {
  const actor = requireActor(ctx);
  const { projectId, reach: writable } = await locate(actor, 'Binary', id, 'update');
  const { reach: readable } = await locate(actor, 'Binary', id, 'read');
  const current = await findRow(projectId, 'Binary', id, ctx.write?.tx);
  if (!current || !(await isWithinContext(ctx, current))) throw notFound();
  await requireChangeable(current, { readable, writable }, given, ctx.write?.tx);
}
