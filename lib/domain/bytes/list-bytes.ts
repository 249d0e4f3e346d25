import { db, runText } from '#lib/infra/db/client.ts';
import type { Place } from '#lib/infra/files/files.ts';
import { type Found, readWhole } from './find-bytes.ts';

const ROWS = 500;

/** Of a Binary, the bytes of its versions from `since` to before `until`. Without `since`: all that it ever had, in one piece. */
export type Listed = {
  id: string;
  since?: number;
  until?: number;
  size: number;
  /** Undefined when it is gone, or comes again later. */
  read(from: number, most: number): Promise<Buffer | undefined>;
};
type Kept = { id: string; since: number; until: number | null; size: number; place: 'database' | Place; key: string };

const OLD = `
  select b.id::text as id, octet_length(b.data)::float8 as size from binary_content b
  where b.project_id = $1::uuid and ($2::uuid is null or b.id > $2::uuid)
    and not exists (select from binary_file f where f.project_id = $1::uuid and f.key = b.id)
  order by b.id limit ${ROWS}`;
const KEPT = `
  select f.binary_id::text as id, f.since, f.until, f.size::float8 as size, f.place, f.key::text as key from binary_file f
  where f.project_id = $1::uuid and f.state = 'kept' and ($2::uuid is null or (f.binary_id, f.since) > ($2::uuid, $3::int))
  order by f.binary_id, f.since limit ${ROWS}`;

/** All bytes of a project's Binaries. What is given other bytes meanwhile comes again, as those of its versions. */
export async function* listBytes(projectId: string): AsyncGenerator<Listed> {
  for (let after: string | null = null; ; ) {
    const rows: { id: string; size: number }[] = await runText(db(), OLD, [projectId, after]);
    for (const { id, size } of rows)
      yield { id, size, read: (from, most) => readContent(OLD_PIECE, [projectId, id, from, most]) };
    if (rows.length < ROWS) break;
    after = rows.at(-1)!.id;
  }
  for (let after: [string | null, number] = [null, 0]; ; ) {
    const rows: Kept[] = await runText(db(), KEPT, [projectId, ...after]);
    for (const row of rows) {
      const { id, since, until, size } = row;
      yield { id, since, ...(until !== null && { until }), size, read: readKept(projectId, row) };
    }
    if (rows.length < ROWS) return;
    after = [rows.at(-1)!.id, rows.at(-1)!.since];
  }
}

/** Only while it has no other bytes. */
const OLD_PIECE = `
  select substring(b.data from $3::int + 1 for $4::int) as data from binary_content b
  where b.project_id = $1::uuid and b.id = $2::uuid and not exists (
    select from binary_file f where f.project_id = $1::uuid and f.key = $2::uuid)`;
/** Its key changes when it is succeeded; from where on it is does not. */
const KEPT_PIECE = `
  select substring(b.data from $3::int + 1 for $4::int) as data from binary_file f
  join binary_content b on b.project_id = $1::uuid and b.id = f.key
  where f.project_id = $1::uuid and f.binary_id = $2::uuid and f.state = 'kept' and f.since = $5::int`;

function readKept(projectId: string, { id, since, size, place, key }: Kept) {
  return (from: number, most: number): Promise<Buffer | undefined> => {
    if (place === 'database') return readContent(KEPT_PIECE, [projectId, id, from, most, since]);
    const found: Found = { projectId, size, place, key };
    return readWhole(found, { first: from, last: Math.min(from + most, size) - 1 });
  };
}

async function readContent(text: string, params: unknown[]): Promise<Buffer | undefined> {
  const [row] = await runText<{ data: Uint8Array }>(db(), text, params);
  return row && Buffer.from(row.data);
}
