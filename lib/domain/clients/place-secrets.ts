import { AppError } from '#lib/base/errors.ts';
import { newSecret } from '#lib/base/ids.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { type Queryable, runText } from '#lib/infra/db/client.ts';
import { uniqueViolation } from '#lib/infra/db/errors.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';

const PLACE = `
  insert into client_secret (client_id, project_id, secret_hash) select c, $1::uuid, s from unnest($2::uuid[], $3::text[]) as n(c, s)`;

/** Secrets that nobody knows, for clients that came without theirs: each waits until an administrator makes it a new one. Throws 409 for an id that is taken. */
export async function placeSecrets(tx: Queryable, projectId: string, clientIds: readonly string[]): Promise<void> {
  if (clientIds.length === 0) return;
  const hashes = clientIds.map(() => hashSecret(newSecret()));
  try {
    await runText(tx, PLACE, [projectId, toTextArray(clientIds), toTextArray(hashes)]);
  } catch (cause) {
    if (uniqueViolation(cause) === undefined) throw cause;
    throw new AppError('conflict', 'This server has a client with this id', { cause });
  }
}
