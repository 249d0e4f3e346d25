import type { Queryable } from '#lib/infra/db/client.ts';
import { isFhirId } from '#lib/protocol/fhir/references.ts';
import type { Expr } from '#lib/protocol/fhir/search/ir.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { mayReach, reach } from '../access/policy.ts';
import { refused } from '../access/refused.ts';
import { noteMiss } from '../audit/note-read.ts';
import { write } from '../audit/write.ts';
import { deleteRow } from '../store/delete-row.ts';
import { lockRow } from '../store/find-row.ts';
import type { Row } from '../store/row.ts';
import { isWithin } from '../store/within-reach.ts';
import { auditEntry } from './audit-entry.ts';
import { locate, refuseClosed } from './locate.ts';
import { type Preconditions, requirePreconditions } from './preconditions.ts';
import { findMatch } from './search/find-match.ts';
import { ruleOf } from './type-rules.ts';

/**
 * Idempotent: what is not there, or not within the caller's sight, is gone for them already (R4 http §3.1.0.7). 403 for what they
 * may read and not delete, 409 while something needs it. Resolves to whether there was something to delete.
 */
export async function deleteResource(ctx: Ctx, type: string, id: string, given: Preconditions = {}): Promise<boolean> {
  const actor = requireActor(ctx);
  typeId(type);
  const { projectId, reach: deletable } = await locate(actor, type, id, 'delete');
  const readable = mayReach(actor, type, 'read') ? (await locate(actor, type, id, 'read')).reach : deletable;
  if (!isFhirId(id)) return false;
  const rule = ruleOf(type);
  return write<boolean>(ctx, async (w, inner) => {
    await rule.lockForDelete?.(w.tx, projectId);
    const row = await lockRow(w.tx, projectId, type, id);
    const isSeen = row && ((await rule.isSeen?.(inner, row)) ?? true);
    if (!row || !isSeen || !(await isDeletable(row, { readable, deletable }, given, w.tx))) {
      noteMiss(ctx, `${type}/${id}`, 404);
      w.unchanged();
      return false;
    }
    await rule.beforeDelete?.(w, row, actor);
    await deleteRow(w, row, actor.profile);
    w.audit(auditEntry('delete', row, row));
    await rule.changed?.(w, { ...row, deleted: true });
    return true;
  });
}

/** DELETE with a condition: the one match. None is as good as deleted; several are 412 and stay. */
export async function deleteMatching(
  ctx: Ctx,
  type: string,
  condition: string,
  given: Preconditions = {},
): Promise<boolean> {
  const actor = requireActor(ctx);
  typeId(type);
  refuseClosed(actor, type, 'delete');
  reach(actor, type, 'delete');
  return write<boolean>(ctx, async (w, inner) => {
    const row = await findMatch(inner, type, condition);
    if (row) return deleteResource(inner, type, row.id, given);
    noteMiss(ctx, type, 404);
    w.unchanged();
    return false;
  });
}

type Reaches = { readable: Expr; deletable: Expr };

/** False for what is gone for the caller already. Throws 403, and 412 for another version than they expect. */
export async function isDeletable(
  row: Row,
  { readable, deletable }: Reaches,
  given: Preconditions,
  q?: Queryable,
): Promise<boolean> {
  if (row.deleted) return false;
  if (!(await isWithin(deletable, row, q))) {
    if (await isWithin(readable, row, q)) refuse(row);
    return false;
  }
  requirePreconditions(given, row);
  return true;
}

function refuse({ type, id }: Row): never {
  throw refused(type, 'delete', `Your access policy does not let you delete this ${type}`, id);
}
