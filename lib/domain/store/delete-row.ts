import { sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { runText } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Write } from '../access/context.ts';
import { byWhom } from './by-whom.ts';
import { announceDeleted } from './feeds/announce.ts';
import { isMeasured } from './indexes/quantity-params.ts';
import { knowParams } from './own-params/know-params.ts';
import type { Row } from './row.ts';
import { DELETE, DELETE_MEASURED, DELETE_WORDED, ERASE } from './statements.ts';
import { paramsOf } from './update-row.ts';
import { isWorded } from './words/word-rows.ts';

/** Deletes a locked row; its history stays, with the deletion on top. */
export async function deleteRow(w: Write, current: Row, author: string | undefined): Promise<void> {
  const { projectId, type, id, version } = current;
  await knowParams(projectId, w.tx);
  const params = [
    projectId,
    typeId(type),
    id,
    version + 1,
    new Date().toISOString(),
    byWhom(w, author),
    paramsOf(type, projectId),
  ];
  const plain = isMeasured(type, projectId) ? DELETE_MEASURED : DELETE;
  const [gone] = await runText(w.tx, isWorded(type, projectId) ? DELETE_WORDED : plain, params);
  if (!gone) throw new AppError('conflict', 'The resource was changed meanwhile; read it again');
  await announceDeleted(w, [current]);
}

/** Drops for good what history has of a resource that is deleted: its grave alone is left, which answers 410. Returns how many versions went. */
export async function purgeVersions(w: Write, projectId: string, type: string, id: string): Promise<number> {
  const gone = await w.tx.execute(sql`
    delete from resource_history where project_id = ${projectId}::uuid and type_id = ${typeId(type)}::smallint and id = ${id}
      and op <> 'delete' returning 1`);
  return gone.length;
}

/** Locked rows of one type are erased with all of their versions: nothing brings them back. `binaries`: ids that these versions name. */
export async function eraseRows(
  w: Write,
  { projectId, type }: { projectId: string; type: string },
  ids: readonly string[],
): Promise<{ rows: number; versions: number; binaries: string[] }> {
  await knowParams(projectId, w.tx);
  const now = new Date().toISOString();
  const params = [projectId, typeId(type), toTextArray(ids), now, byWhom(w, undefined), paramsOf(type, projectId)];
  const [gone] = await runText<{ rows: number; versions: number; binaries: string }>(w.tx, ERASE, params);
  const { rows = 0, versions = 0, binaries = '[]' } = gone ?? {};
  return { rows, versions, binaries: JSON.parse(binaries) as string[] };
}

/** All values that an element of a resource ever had. */
export async function listValues(
  w: Write,
  projectId: string,
  { type, id, element }: { type: string; id: string; element: string },
): Promise<string[]> {
  const rows = await w.tx.execute<{ value: string }>(sql`
    select distinct content::jsonb ->> ${element}::text as value from resource_history
    where project_id = ${projectId}::uuid and type_id = ${typeId(type)}::smallint and id = ${id} and content is not null`);
  return rows.flatMap(({ value }) => value ?? []);
}

/**
 * What earlier versions of a type call somebody to whom `element` refers, and nothing else of them, is dropped. Returns which resources these are.
 * The current versions are the caller's to have changed before.
 */
export async function forgetDisplay(
  w: Write,
  projectId: string,
  { type, element, reference }: { type: string; element: string; reference: string },
): Promise<string[]> {
  const rows = await w.tx.execute<{ id: string }>(sql`
    update resource_history set content = (content::jsonb #- ${toTextArray([element, 'display'])}::text[])::text
    where project_id = ${projectId}::uuid and type_id = ${typeId(type)}::smallint and content like ${`%"${reference}"%`}
      and content::jsonb -> ${element}::text ->> 'reference' = ${reference} returning id`);
  return [...new Set(rows.map(({ id }) => id))];
}
