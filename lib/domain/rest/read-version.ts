import { AppError, notFound } from '#lib/base/errors.ts';
import { isFhirId } from '#lib/protocol/fhir/references.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { noteRead } from '../audit/note-read.ts';
import { findVersion } from '../store/find-history.ts';
import { findRow } from '../store/find-row.ts';
import { isErased, type Row } from '../store/row.ts';
import { isWithin, judgeable, requireWithin } from '../store/within-reach.ts';
import { locate } from './locate.ts';
import { shownVersions } from './shown.ts';
import { ruleOf } from './type-rules.ts';

/**
 * One version. The policy must hold for it and for what the resource is now. 410 for the version that deleted it; 404 for one that is kept
 * no longer, as R4 has it (http.html#vread), which says so.
 */
export async function readVersion(ctx: Ctx, type: string, id: string, versionId: string): Promise<Row> {
  const actor = requireActor(ctx);
  typeId(type);
  const { projectId, reach } = await locate(actor, type, id, 'vread');
  if (!isFhirId(id) || !/^[1-9]\d{0,8}$/.test(versionId)) throw notFound();
  const q = ctx.write?.tx;
  const only = await ruleOf(type).elsewhere?.find(actor, projectId, id);
  const [current, version] = only
    ? [only, only.version === Number(versionId) ? only : undefined]
    : await Promise.all([findRow(projectId, type, id, q), findVersion(projectId, type, id, Number(versionId), q)]);
  const now = await requireWithin(current, reach, q);
  const { isSeen } = ruleOf(type);
  if (!((await isSeen?.(ctx, now)) ?? true)) throw notFound();
  if (!version) throw neverOrGone(current, Number(versionId));
  if (version.deleted) throw new AppError('gone', isErased(version) ? 'Erased' : 'This version deleted the resource');
  if (!(await isWithin(reach, version, q))) throw notFound();
  if (!((await isSeen?.(ctx, version)) ?? true)) throw notFound();
  noteRead(ctx, type, id);
  const [seen] = await shownVersions(actor, [version], now.deleted ? await judgeable(now, q) : now, q);
  return seen ?? version;
}

function neverOrGone(current: Row | undefined, version: number): AppError {
  const isPast = current !== undefined && version < current.version;
  if (isPast && isErased(current)) return new AppError('gone', 'Erased with all of its versions');
  return isPast ? new AppError('not-found', 'This version is not kept any more') : notFound();
}
