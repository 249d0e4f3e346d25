import { and, count, eq, isNull } from 'drizzle-orm';
import { AppError, notFound } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import { type RecordErasureRow, recordErasure } from '#lib/infra/db/schema/fhir/record-erasure.ts';
import { keepProgress } from '#lib/infra/db/upkeep.ts';
import { isFhirId } from '#lib/protocol/fhir/references.ts';
import type { RecordErasure } from '#lib/protocol/record-erasure/answers.ts';
import type { RecordErasureRequest } from '#lib/protocol/record-erasure/requests.ts';
import { erasuresTag } from '../access/cache-tags.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { throttle } from '../limits/throttle.ts';
import { shareProject } from '../memberships/share-project.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { settleRuns } from '../runs/record/record-run.ts';
import { eraseRows } from '../store/delete-row.ts';
import { lockRow } from '../store/find-row.ts';
import { countRecord, sumOf } from './count-record.ts';
import { toErasure } from './erasure-rows.ts';
import { findAgainst } from './find-members-on.ts';
import { forgetNamed } from './forget-named.ts';
import { nameOf, requirePatient } from './preview-erasure.ts';
import { requireAllowed, requireEraser } from './require-eraser.ts';
import { workOf } from './run-erasures.ts';

const OFTEN = { limit: 100, windowSeconds: 3600, refusal: 'A hundred erasures were asked for within the hour' };
const MOST_UNFINISHED = 10;

/**
 * The record of a patient is erased for good. The patient goes at once, so that nobody is made a member on it any more, and nothing of it is found by
 * them; the rest step by step (`runErasures`). For administrators without limits, in their own name, with a proof. Throws 400 naming `confirm`, 403, 404,
 * 409 where the project does not allow it, a member stands on the record, or ten are unfinished; 410 for one who was erased, 429.
 */
export async function askErasure(
  ctx: Ctx,
  projectId: string,
  patientId: string,
  { confirm, reason }: RecordErasureRequest,
): Promise<RecordErasure> {
  const actor = requireEraser(ctx, projectId);
  if (!isFhirId(patientId)) throw notFound();
  await requireProof(actor);
  await throttle(`erase-record:${projectId}`, OFTEN.limit, OFTEN);
  // What is recorded in this moment is looked through, too.
  await settleRuns(projectId);
  return write(ctx, async (w) => {
    await lockName(w.tx, `erase-record:${projectId}`);
    requireAllowed(await shareProject(w.tx, projectId));
    const patient = requirePatient(await lockRow(w.tx, projectId, 'Patient', patientId));
    requireMeant(confirm, [patientId, nameOf(patient)]);
    const whose = { projectId, patientId };
    const against = await findAgainst(w.tx, whose);
    if (against[0]) throw new AppError('conflict', against[0], { issues: against.map((text) => ({ text })) });
    await requireFew(w.tx, projectId);
    const { erased, kept } = await countRecord(w.tx, whose);
    await forgetNamed(w.tx, { projectId, patientId });
    const { rows, versions, binaries } = await eraseRows(w, { projectId, type: 'Patient' }, [patientId]);
    const row: RecordErasureRow = {
      ...{ projectId, id: newId(), patientId, state: 'queued', reason },
      ...{ askedBy: actor.profile, askedByDisplay: actor.profileDisplay ?? null },
      ...{ requestId: ctx.requestId, remoteAddress: ctx.remoteAddress },
      progress: { stage: 'current', after: [0, ''], pass: 1, found: 0, binaries },
      counts: { total: sumOf(erased) + (patient.deleted ? 1 : 0), erased: { Patient: rows }, kept: {}, versions },
      ...{ createdAt: new Date(), startedAt: null, finishedAt: null },
    };
    await w.tx.insert(recordErasure).values(row);
    w.invalidate(erasuresTag(projectId));
    await keepProgress(workOf(row), {}, w.tx);
    const after = { job: row.id, reason, erases: sumOf(erased), keeps: sumOf(kept) };
    w.audit({ projectId, action: 'record.erasure', target: `Patient/${patientId}`, after });
    return toErasure(row);
  });
}

function requireMeant(confirm: string, words: readonly (string | undefined)[]): void {
  if (words.some((word) => word?.toLowerCase() === confirm.toLowerCase())) return;
  throw new AppError('invalid', 'This is neither the name nor the id of the patient', { expression: 'confirm' });
}

async function requireFew(tx: Queryable, projectId: string): Promise<void> {
  const [open] = await tx
    .select({ n: count() })
    .from(recordErasure)
    .where(and(eq(recordErasure.projectId, projectId), isNull(recordErasure.finishedAt)));
  if ((open?.n ?? 0) < MOST_UNFINISHED) return;
  throw new AppError('conflict', `${MOST_UNFINISHED} erasures of this project are unfinished; wait for one of them`);
}
