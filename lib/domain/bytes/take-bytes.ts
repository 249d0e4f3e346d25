import { createHash } from 'node:crypto';
import { newId } from '#lib/base/ids.ts';
import { log } from '#lib/base/log.ts';
import { db, runText } from '#lib/infra/db/client.ts';
import { type Place, placeOfNew, putFile } from '#lib/infra/files/files.ts';
import { dropGoing } from './drop-going.ts';
import { type Held, hold } from './held.ts';
import { createSourceHash } from './source-hash.ts';

/** What is smaller stands in the database: it costs one statement there, and a file costs two more and a disk that has written it. */
export const SMALL_BYTES = 64 * 1024;
/** How often an upload says that it goes on. */
const TOLD_MS = 60_000;

/**
 * Bytes as they come, held for whoever makes them a Binary's (`keepBytes`) or lets them go (`letGo`). What is large is a file before this resolves, and was
 * never in memory as a whole. Not inside of a transaction. Throws what the stream throws, and 503 where files cannot be stored.
 */
export async function takeBytes(projectId: string, bytes: AsyncIterable<Uint8Array>): Promise<Held> {
  const source = bytes[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let size = 0;
  while (size <= SMALL_BYTES) {
    const { done, value } = await source.next();
    if (done) return hold(Buffer.concat(first));
    first.push(value);
    size += value.length;
  }
  return takeFile(projectId, joined(first, source));
}

const BEGIN = `insert into binary_file (project_id, key, state, place) values ($1::uuid, $2::uuid, 'coming', $3)`;
const GO_ON = `update binary_file set at = $3::timestamptz where project_id = $1::uuid and key = $2::uuid and state = 'coming'`;

/** Said to be coming before the first byte of it is stored: whatever dies, somebody knows what to drop. */
export async function takeFile(projectId: string, bytes: AsyncIterable<Uint8Array>): Promise<Held> {
  const [key, place] = [newId(), placeOfNew()];
  await runText(db(), BEGIN, [projectId, key, place]);
  const [sha256, sourceHash] = [createHash('sha256'), createSourceHash()];
  let [size, told] = [0, Date.now()];
  try {
    await putFile(place, { projectId, key }, counted());
  } catch (error) {
    await letGo(projectId, { place, key });
    throw error;
  }
  return { place, key, size, sha256: sha256.digest('hex'), sourceHash: sourceHash.digest() };

  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const piece of bytes) {
      size += piece.length;
      sha256.update(piece);
      sourceHash.update(piece);
      if (Date.now() - told > TOLD_MS) {
        told = Date.now();
        await runText(db(), GO_ON, [projectId, key, new Date(told).toISOString()]);
      }
      yield piece;
    }
  }
}

const LET_GO = `update binary_file set state = 'going' where project_id = $1::uuid and key = $2::uuid and state = 'coming'`;

/** What was held is no Binary's; unless it is one, where nobody knows how a commit ended. What fails here the sweep does again. */
export async function letGo(
  projectId: string,
  held: { place: 'database' } | { place: Place; key: string },
): Promise<void> {
  if (!('key' in held)) return;
  try {
    await runText(db(), LET_GO, [projectId, held.key]);
    await dropGoing(projectId);
  } catch (error) {
    log.warn({ err: error, projectId }, 'a file that nobody has is dropped later');
  }
}

async function* joined(first: Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* first.splice(0);
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
