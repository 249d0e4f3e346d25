import { AppError, notFound } from '#lib/base/errors.ts';
import { transaction } from '#lib/infra/db/client.ts';
import { isFhirId } from '#lib/protocol/fhir/references.ts';
import type { ErasurePreview } from '#lib/protocol/record-erasure/answers.ts';
import type { Ctx } from '../access/context.ts';
import { throttle } from '../limits/throttle.ts';
import { shareProject } from '../memberships/share-project.ts';
import { displayName } from '../profiles/display-name.ts';
import { findRow } from '../store/find-row.ts';
import { isErased, type Row, toResource } from '../store/row.ts';
import { countRecord, countReferring } from './count-record.ts';
import { findAgainst } from './find-members-on.ts';
import { isAllowed, requireEraser } from './require-eraser.ts';

/** In an hour, of a project: each looks through all of a record. */
const OFTEN = { limit: 300, windowSeconds: 3600 };

/** What an erasure would take, and nothing of what it says. Throws 403, 404 for no patient of this project, 410 for one who was erased, 429. */
export async function previewErasure(ctx: Ctx, projectId: string, patientId: string): Promise<ErasurePreview> {
  requireEraser(ctx, projectId);
  if (!isFhirId(patientId)) throw notFound();
  await throttle(`erasure-preview:${projectId}`, OFTEN.limit, OFTEN);
  return transaction(async (tx) => {
    const project = await shareProject(tx, projectId);
    const patient = requirePatient(await findRow(projectId, 'Patient', patientId, tx));
    const whose = { projectId, patientId };
    return {
      patient: `Patient/${patientId}`,
      name: nameOf(patient) ?? null,
      deleted: patient.deleted,
      allowed: isAllowed(project),
      against: await findAgainst(tx, whose),
      ...(await countRecord(tx, whose)),
      referring: await countReferring(tx, whose),
    };
  });
}

/** One who was deleted may be erased still. */
export function requirePatient(row: Row | undefined): Row {
  if (!row) throw notFound();
  if (isErased(row)) throw new AppError('gone', 'The record of this patient was erased');
  return row;
}

export function nameOf(patient: Row): string | undefined {
  return patient.deleted ? undefined : displayName(toResource(patient));
}
