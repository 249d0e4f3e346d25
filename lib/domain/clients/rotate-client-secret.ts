import { eq } from 'drizzle-orm';
import { AppError, notFound } from '#lib/base/errors.ts';
import { isUuid, newSecret } from '#lib/base/ids.ts';
import { hashSecret, secretMatches } from '#lib/infra/crypto/secret.ts';
import { clientSecret } from '#lib/infra/db/schema/identity.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { clientKey } from '../access/session-keys.ts';
import { write } from '../audit/write.ts';
import { lockRow, requireLive } from '../store/find-row.ts';
import type { Row } from '../store/row.ts';

export type RotateInput = {
  /** The current secret, when the caller knows it: refused if it is another. */
  secret?: string;
  /** The retiring secret, which is to stop working now. Nothing else changes. */
  retiringSecret?: string;
};

/**
 * A new secret for a client of the project; the old one goes on working as the retiring one until it is dropped by a second call with
 * `retiringSecret` (contract §2.7). The new secret is in the result and nowhere else. Throws 400 for a secret that is not the client's.
 */
export async function rotateClientSecret(
  ctx: Ctx,
  projectId: string,
  clientId: string,
  input: RotateInput = {},
): Promise<{ row: Row; secret?: string }> {
  requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId) || !isUuid(clientId)) throw notFound();
  return write(ctx, async (w) => {
    const row = requireLive(await lockRow(w.tx, projectId, 'ClientApplication', clientId));
    const [kept] = await w.tx.select().from(clientSecret).where(eq(clientSecret.clientId, clientId)).for('update');
    if (kept?.projectId !== projectId) throw notFound();
    requireKnown('secret', input.secret, kept.secretHash);
    requireKnown('retiringSecret', input.retiringSecret, kept.retiringHash);
    const dropOnly = input.retiringSecret !== undefined;
    const secret = dropOnly ? undefined : newSecret();
    const next = secret ? { secretHash: hashSecret(secret), retiringHash: kept.secretHash } : { retiringHash: null };
    await w.tx
      .update(clientSecret)
      .set({ ...next, rotatedAt: new Date() })
      .where(eq(clientSecret.clientId, clientId));
    w.invalidate(clientKey(clientId));
    const action = dropOnly ? 'client.secret.drop' : 'client.secret.rotate';
    w.audit({ projectId, action, target: `ClientApplication/${clientId}` });
    return { row, ...(secret && { secret }) };
  });
}

function requireKnown(field: keyof RotateInput, given: string | undefined, hash: string | null): void {
  if (given === undefined || secretMatches(given, hash)) return;
  throw new AppError('invalid', `${field} is not the client's`, { expression: field });
}
