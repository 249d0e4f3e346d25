import { isUuid } from '#lib/base/ids.ts';
import { type Queryable, runText } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';

const FIRST = `insert into binary_content (project_id, id, data) values ($1::uuid, $2::uuid, decode($3, 'base64'))`;
const NEXT = `
  update binary_content set data = data || decode($3, 'base64') where project_id = $1::uuid and id = $2::uuid returning octet_length(data) as size`;

/** A piece of a Binary's bytes, in base64. Returns how many there are now, or undefined where the first was never given. */
export async function placeBytes(
  tx: Queryable,
  projectId: string,
  { id, piece, data }: { id: string; piece: number; data: string },
): Promise<number | undefined> {
  if (piece > 0) return (await runText<{ size: number }>(tx, NEXT, [projectId, id, data]))[0]?.size;
  await runText(tx, FIRST, [projectId, id, data]);
  return Buffer.byteLength(data, 'base64');
}

const DROP = `
  delete from binary_content b where b.project_id = $1::uuid and not exists (
    select from resource r where r.project_id = $1::uuid and r.type_id = ${typeId('Binary')} and r.id = b.id::text and not r.deleted)`;

/** Bytes of a Binary that came while the file was made, and is not in it. */
export async function dropLostBytes(tx: Queryable, projectId: string): Promise<void> {
  await runText(tx, DROP, [projectId]);
}

const DROP_SOME = 'delete from binary_content where project_id = $1::uuid and id = any($2::uuid[])';

/** Of Binaries that are erased, by their ids. */
export async function dropBytes(tx: Queryable, projectId: string, ids: readonly string[]): Promise<void> {
  await runText(tx, DROP_SOME, [projectId, toTextArray(ids.filter(isUuid))]);
}
