import { AppError } from '#lib/base/errors.ts';
import { runText } from '#lib/infra/db/client.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Write } from '../access/context.ts';
import { byWhom } from './by-whom.ts';
import type { Row } from './row.ts';
import { DELETE } from './statements.ts';
import { paramsOf } from './update-row.ts';

/** Deletes a locked row; its history stays, with the deletion on top. */
export async function deleteRow(w: Write, current: Row, author: string | undefined): Promise<void> {
  const { projectId, type, id, version } = current;
  const params = [
    projectId,
    typeId(type),
    id,
    version + 1,
    new Date().toISOString(),
    byWhom(w, author),
    paramsOf(type),
  ];
  const [gone] = await runText(w.tx, DELETE, params);
  if (!gone) throw new AppError('conflict', 'The resource was changed meanwhile; read it again');
}
