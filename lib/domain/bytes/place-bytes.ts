import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { AppError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { type Queryable, runText } from '#lib/infra/db/client.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { type Held, hold } from './held.ts';
import { keepHeld } from './keep-held.ts';
import { SMALL_BYTES, takeFile } from './take-bytes.ts';

/** Of the bytes that a Binary's versions have from `since` (without: from the first) to before `until`. */
export type Piece = { id: string; since?: number; until?: number; piece: number; data: Buffer };
type Whose = Omit<Piece, 'piece' | 'data'>;
type Coming = { whose: Whose; pieces: Buffer[]; size: number; file?: PushedFile };

/** Takes the bytes of another server's Binaries, in the transaction that brings these: until that commits, its files are nobody's. */
export function createPlacer(tx: Queryable, projectId: string) {
  let coming: Coming | undefined;
  return { take, end, giveUp: () => coming?.file?.giveUp() };

  /** In their order. Throws 400 where a piece is missing. */
  async function take({ piece, data, ...whose }: Piece): Promise<void> {
    if (piece === 0) {
      await end();
      coming = { whose, pieces: [], size: 0 };
    }
    if (coming?.whose.id !== whose.id || coming.whose.since !== whose.since)
      throw new AppError('invalid', `The first piece of Binary/${whose.id} is missing`);
    await add(coming, data);
  }

  async function add(to: Coming, data: Buffer): Promise<void> {
    to.size += data.length;
    if (to.file) return to.file.push(data);
    to.pieces.push(data);
    if (to.size <= SMALL_BYTES) return;
    to.file = pushFile(projectId);
    for (const piece of to.pieces.splice(0)) await to.file.push(piece);
  }

  async function end(): Promise<void> {
    if (!coming) return;
    const { whose, pieces, file } = coming;
    const held = file ? await file.end() : hold(Buffer.concat(pieces));
    coming = undefined;
    await place(tx, projectId, whose, held);
  }
}

/** What was given other bytes while the file was made stands in it a second time, as what it had before: then all of it. */
const AGAIN = `
  delete from binary_content c where c.project_id = $1::uuid and c.id = $2::uuid
    and not exists (select from binary_file f where f.project_id = $1::uuid and f.key = $2::uuid)`;
async function place(tx: Queryable, projectId: string, { id, since = 1, until }: Whose, held: Held): Promise<void> {
  if (since === 1 && until !== undefined) await runText(tx, AGAIN, [projectId, id]);
  const key = until === undefined ? id : newId();
  const gone = 'The import took too long: send the file again';
  await keepHeld(tx, { projectId, key, id, since, until: until ?? null, gone }, held);
}

const LIVE = `select from resource r where r.project_id = $1::uuid and r.type_id = ${typeId('Binary')} and not r.deleted`;
/** Bytes of a Binary that came while the file was made, and is not in it; and of a version of one. */
const LOST = [
  `update binary_file f set state = 'going', binary_id = null
   where f.project_id = $1::uuid and f.state = 'kept' and not exists (${LIVE} and r.id = f.binary_id::text and r.version >= f.since)`,
  `delete from binary_content c where c.project_id = $1::uuid and case
     when exists (select from binary_file f where f.project_id = $1::uuid and f.key = c.id)
       then exists (select from binary_file f where f.project_id = $1::uuid and f.key = c.id and f.state = 'going')
     else not exists (${LIVE} and r.id = c.id::text) end`,
  `delete from binary_file f where f.project_id = $1::uuid and f.state = 'going' and f.place = 'database'`,
  `update binary_file f set until = null where f.project_id = $1::uuid and f.state = 'kept' and f.until is not null
     and exists (${LIVE} and r.id = f.binary_id::text and r.version < f.until)`,
];

export async function dropLostBytes(tx: Queryable, projectId: string): Promise<void> {
  for (const text of LOST) await runText(tx, text, [projectId]);
}

type PushedFile = { push(piece: Buffer): Promise<void>; end(): Promise<Held>; giveUp(): void };

/** A file that is written as somebody has more of it. */
function pushFile(projectId: string): PushedFile {
  const through = new PassThrough();
  // Told by what is made of it.
  through.on('error', () => undefined);
  const held = takeFile(projectId, through);
  held.catch(() => through.destroy());
  return {
    push: async (piece) => {
      if (!through.write(piece)) await Promise.race([once(through, 'drain'), held]);
    },
    end: () => {
      through.end();
      return held;
    },
    giveUp: () => void through.destroy(new Error('Nobody brings the rest')),
  };
}
