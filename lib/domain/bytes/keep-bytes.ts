import { newId } from '#lib/base/ids.ts';
import { type Queryable, runText } from '#lib/infra/db/client.ts';
import type { Held } from './held.ts';
import { keepHeld, ROW } from './keep-held.ts';

/** `since`: of the version that brings them. */
export type Whose = { projectId: string; id: string; since: number };

/**
 * Bytes that were held are a Binary's from this version on, and what it had before is its earlier versions'. In the transaction that writes the version, the
 * Binary locked.
 */
export async function keepBytes(tx: Queryable, { projectId, id, since }: Whose, held: Held): Promise<void> {
  if (since > 1) await retire(tx, projectId, id, since);
  await keepHeld(
    tx,
    { projectId, key: id, id, since, until: null, gone: 'The upload was given up: send it again' },
    held,
  );
}

const CURRENT = `
  select key::text as key, place from binary_file
  where project_id = $1::uuid and binary_id = $2::uuid and state = 'kept' and until is null`;
const UNTIL = `update binary_file set key = $3::uuid, until = $4::int where project_id = $1::uuid and key = $2::uuid`;
/** What a value out of line is made of stays where it is. */
const AWAY = `
  update binary_content set id = $3::uuid where project_id = $1::uuid and id = $2::uuid
  returning octet_length(data) as size, encode(sha256(data), 'hex') as sha256, source_hash`;

type Away = { size: number; sha256: string; source_hash: string | null };

/** Under a Binary's own id stands what it has now: whoever knows nothing of versions finds that or nothing. */
async function retire(tx: Queryable, projectId: string, id: string, until: number): Promise<void> {
  const [current] = await runText<{ key: string; place: string }>(tx, CURRENT, [projectId, id]);
  const key = current && current.place !== 'database' ? current.key : newId();
  if (current) await runText(tx, UNTIL, [projectId, current.key, key, until]);
  if (current && current.place !== 'database') return;
  const from = current?.key ?? id;
  const [away] = await runText<Away>(tx, AWAY, [projectId, from, key]);
  if (current || !away) return;
  await runText(tx, ROW, [projectId, key, id, 1, until, away.size, away.sha256, away.source_hash]);
}
