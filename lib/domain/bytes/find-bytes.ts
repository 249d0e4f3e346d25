import { Readable } from 'node:stream';
import { isUuid } from '#lib/base/ids.ts';
import { db, type Queryable, runText } from '#lib/infra/db/client.ts';
import type { Part } from '#lib/infra/files/driver.ts';
import { openFile, type Place } from '#lib/infra/files/files.ts';

/** Where the bytes of a version are, and how many. */
export type Found = { projectId: string; size: number } & (
  | { place: 'database'; data: Buffer }
  | { place: Place; key: string }
);

/** As of `$3`: a version. What has no row of its own stands under the Binary's id since ever. */
const FIND = `
  select f.place, f.key::text as key, f.size::float8 as size, c.data from binary_file f
  left join binary_content c on c.project_id = $1::uuid and c.id = f.key and f.place = 'database'
  where f.project_id = $1::uuid and f.binary_id = $2::uuid and f.state = 'kept' and f.since <= $3::int
    and (f.until is null or f.until > $3::int)
  union all
  select 'database', c.id::text, octet_length(c.data)::float8, c.data from binary_content c
  where c.project_id = $1::uuid and c.id = $2::uuid
    and not exists (select from binary_file f where f.project_id = $1::uuid and f.key = $2::uuid)`;

type Raw = { place: 'database' | Place; key: string; size: number; data: Uint8Array | null };

/** The bytes that a version of a Binary has. */
export async function findBytes(
  projectId: string,
  id: string,
  version: number,
  q: Queryable = db(),
): Promise<Found | undefined> {
  const [found] = isUuid(id) ? await runText<Raw>(q, FIND, [projectId, id, version]) : [];
  if (!found) return undefined;
  const { place, key, size, data } = found;
  if (place !== 'database') return { projectId, size, place, key };
  return data ? { projectId, size, place, data: Buffer.from(data) } : undefined;
}

const NOW = 2_147_483_647;

/** Those that it has now. */
export function findCurrentBytes(projectId: string, id: string): Promise<Found | undefined> {
  return findBytes(projectId, id, NOW);
}

/** Whoever takes them ends them, too: by `return`, also before the first one. */
export type Pieces = { next(): Promise<IteratorResult<Uint8Array>>; return(): Promise<unknown> };

/** All of it or a part, piece by piece as whoever reads asks for more. Throws 503 where it is not to be had, before anything is told of it. */
export async function openBytes(found: Found, part?: Part): Promise<Pieces> {
  const stream: Readable =
    found.place === 'database'
      ? Readable.from([part ? found.data.subarray(part.first, part.last + 1) : found.data])
      : await openFile(found.place, found, part);
  // Told to who reads; who has gone wants none of it.
  stream.on('error', () => undefined);
  const pieces = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  return { next: () => pieces.next(), return: async () => void stream.destroy() };
}

/** All of what is small enough for it, or such a part. */
export async function readWhole(found: Found, part?: Part): Promise<Buffer> {
  const { next } = await openBytes(found, part);
  const pieces: Uint8Array[] = [];
  for (let piece = await next(); !piece.done; piece = await next()) pieces.push(piece.value);
  return Buffer.concat(pieces);
}

/** By which bytes are told to be the same: undefined where there are none. */
export async function findHash(q: Queryable, projectId: string, id: string): Promise<string | undefined> {
  const [row] = await runText<{ sha256: string }>(q, HASH, [projectId, id]);
  return row?.sha256;
}

const HASH = `
  select f.sha256 from binary_file f
  where f.project_id = $1::uuid and f.binary_id = $2::uuid and f.state = 'kept' and f.until is null
  union all
  select encode(sha256(c.data), 'hex') from binary_content c
  where c.project_id = $1::uuid and c.id = $2::uuid
    and not exists (select from binary_file f where f.project_id = $1::uuid and f.key = $2::uuid)`;
