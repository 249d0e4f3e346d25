import { AppError } from '#lib/base/errors.ts';
import { type Queryable, runText } from '#lib/infra/db/client.ts';
import type { Held } from './held.ts';

/** Under which key of the project, for the versions of which Binary, and what is said where the upload was given up meanwhile. */
type Place = { projectId: string; key: string; id: string; since: number; until: number | null; gone: string };

const CONTENT = `
  insert into binary_content (project_id, id, data, source_hash) values ($1::uuid, $2::uuid, $3::bytea, $4)`;
export const ROW = `
  insert into binary_file (project_id, key, binary_id, state, place, since, until, size, sha256, source_hash)
  values ($1::uuid, $2::uuid, $3::uuid, 'kept', 'database', $4::int, $5::int, $6::bigint, $7, $8)`;
const TAKE = `
  update binary_file set state = 'kept', binary_id = $3::uuid, since = $4::int, until = $5::int, size = $6::bigint, sha256 = $7, source_hash = $8
  where project_id = $1::uuid and key = $2::uuid and state = 'coming' returning key`;

/**
 * Bytes that were held become those of a Binary's versions from `since` to before `until`. Small ones of an only version have no row beside their
 * content, which costs nothing more, and which the release before reads. Throws 409 with `gone`.
 */
export async function keepHeld(
  tx: Queryable,
  { projectId, key, id, since, until, gone }: Place,
  held: Held,
): Promise<void> {
  const known = [id, since, until, held.size, held.sha256, held.sourceHash ?? null];
  if (held.place !== 'database') {
    const [kept] = await runText(tx, TAKE, [projectId, held.key, ...known]);
    if (!kept) throw new AppError('conflict', gone);
    return;
  }
  await runText(tx, CONTENT, [projectId, key, held.data, held.sourceHash ?? null]);
  if (since > 1 || until !== null) await runText(tx, ROW, [projectId, key, ...known]);
}
