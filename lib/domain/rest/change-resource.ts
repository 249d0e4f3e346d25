import { AppError, notFound } from '#lib/base/errors.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { isFhirId } from '#lib/protocol/fhir/references.ts';
import type { Expr } from '#lib/protocol/fhir/search/ir.ts';
import { isIdentityType, typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Resource, Stored } from '#lib/protocol/fhir/types.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { refused } from '../access/refused.ts';
import { noteRead } from '../audit/note-read.ts';
import { write } from '../audit/write.ts';
import { lockRow } from '../store/find-row.ts';
import { type Row, toResource } from '../store/row.ts';
import { updateRow } from '../store/update-row.ts';
import { changeable } from '../store/visible-row.ts';
import { isResourceWithin, isWithin, judgeable } from '../store/within-reach.ts';
import { auditEntry } from './audit-entry.ts';
import { requireConstraints } from './constraints/require-constraints.ts';
import { locate } from './locate.ts';
import { type Preconditions, requirePreconditions } from './preconditions.ts';
import { shown } from './shown.ts';
import { ruleOf } from './type-rules.ts';
import type { Written } from './written.ts';

/** The next state, from the row as it stands, locked. */
export type Next = (current: Row, inner: Ctx) => Resource | Promise<Resource>;

/**
 * Updates and patches. The policy must hold for the stored resource and for the new one; 404 when the caller cannot even read it,
 * 403 when they can but may not change it so. A change of nothing keeps the version.
 */
export async function changeResource(
  ctx: Ctx,
  type: string,
  id: string,
  given: Preconditions,
  next: Next,
): Promise<Written> {
  const actor = requireActor(ctx);
  typeId(type);
  const { projectId, reach: writable } = await locate(actor, type, id, 'update');
  const { reach: readable } = await locate(actor, type, id, 'read');
  if (!isFhirId(id)) throw notFound();
  const rule = ruleOf(type);
  return write<Written>(ctx, async (w, inner) => {
    const current = await lockRow(w.tx, projectId, type, id);
    if (!current) throw notFound();
    if (!((await rule.isSeen?.(inner, current)) ?? true)) throw notFound();
    await requireChangeable(current, { readable, writable }, given, w.tx);
    const before = current.deleted ? undefined : toResource(current);
    const after = await changeable(actor, current, { ...(await next(current, inner)), id }, w.tx);
    const stored = (await rule.prepare?.({ ctx: inner, actor, projectId, before, after })) ?? after;
    await requireWritable(writable, projectId, { ...stored, id }, w.tx);
    await requireConstraints(inner, 'update', { current, after: { ...stored, id } });
    const brings = (await rule.beside?.brings(w, current, stored)) ?? false;
    const row = await updateRow(w, current, stored, actor.profile, brings);
    if (row === current) {
      w.unchanged();
      // The answer shows it, as a read does.
      noteRead(ctx, type, id);
      return { row: await shown(actor, row, w.tx), created: false, changed: false };
    }
    w.audit(auditEntry('update', row, current));
    if (brings) await rule.beside?.keep(w, row, stored, current);
    await rule.changed?.(w, row);
    await rule.updated?.(w, row, current);
    return { row: await shown(actor, row, w.tx), created: current.deleted, changed: true };
  });
}

/** What of a type the caller may see, and change. */
export type Reaches = { readable: Expr; writable: Expr };

/** Whether the caller may change the locked row, as it stands, and it is the one that they expect. Throws 404, 403, 410 or 412. */
export async function requireChangeable(
  current: Row,
  { readable, writable }: Reaches,
  given: Preconditions,
  q?: Queryable,
): Promise<void> {
  const judged = await judgeable(current, q);
  if (!(await isWithin(readable, judged, q))) throw notFound();
  if (!(await isWithin(writable, judged, q))) throw forbidden(current);
  // An account, a client or a bot is more than its resource, and the rest is gone.
  if (current.deleted && isIdentityType(current.type)) throw new AppError('gone', 'Deleted');
  requirePreconditions(given, current);
}

/** 403 when the policy does not let the caller make this of it. */
export async function requireWritable(
  writable: Expr,
  projectId: string,
  after: Stored<Resource>,
  q?: Queryable,
): Promise<void> {
  if (!(await isResourceWithin(writable, projectId, after, q)))
    throw forbidden({ type: after.resourceType, id: after.id });
}

function forbidden({ type, id }: { type: string; id: string }): AppError {
  return refused(type, 'update', `Your access policy does not let you change this ${type} so`, id);
}
