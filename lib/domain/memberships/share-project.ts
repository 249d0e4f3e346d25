import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';
import { shareRow } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';

/** The project of a path, kept as it is until the transaction ends. Throws 404 when there is none. */
export async function shareProject(tx: Queryable, projectId: string): Promise<Project> {
  if (!isUuid(projectId)) throw notFound();
  const row = await shareRow(tx, projectId, 'Project', projectId);
  if (!row || row.deleted) throw notFound();
  return toResource<Project>(row);
}
