import { eq } from 'drizzle-orm';
import { AppError, notFound } from '#lib/base/errors.ts';
import { isUuid, newSecret } from '#lib/base/ids.ts';
import { hashSecret, secretMatches } from '#lib/infra/crypto/secret.ts';
import { clientSecret } from '#lib/infra/db/schema/clients.ts';
import { clientTag } from '../access/cache-tags.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { requireProof } from '../proofs/require-proof.ts';
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
  return changeSecret(ctx, projectId, clientId, (kept) => {
    requireKnown('secret', input.secret, kept.secretHash);
    requireKnown('retiringSecret', input.retiringSecret, kept.retiringHash);
    return input.retiringSecret === undefined ? newSecret() : undefined;
  });
}

/** Ends the secret before the last rotation, for an administrator who has never seen it. Throws 404, and 409 when there is none. */
export async function dropRetiringSecret(ctx: Ctx, projectId: string, clientId: string): Promise<Row> {
  const { row } = await changeSecret(ctx, projectId, clientId, ({ retiringHash }) => {
    if (!retiringHash) throw new AppError('conflict', 'This client has no earlier secret that still works');
    return undefined;
  });
  return row;
}

/** `decide`: the new secret, or undefined when the retiring one is to end and nothing else. */
async function changeSecret(
  ctx: Ctx,
  projectId: string,
  clientId: string,
  decide: (kept: typeof clientSecret.$inferSelect) => string | undefined,
): Promise<{ row: Row; secret?: string }> {
  const actor = requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId) || !isUuid(clientId)) throw notFound();
  return write(ctx, async (w) => {
    await requireProof(actor, w.tx);
    const row = requireLive(await lockRow(w.tx, projectId, 'ClientApplication', clientId));
    const [kept] = await w.tx.select().from(clientSecret).where(eq(clientSecret.clientId, clientId)).for('update');
    if (kept?.projectId !== projectId) throw notFound();
    const secret = decide(kept);
    const next = secret
      ? { secretHash: hashSecret(secret), retiringHash: kept.secretHash, rotatedAt: new Date() }
      : { retiringHash: null };
    await w.tx.update(clientSecret).set(next).where(eq(clientSecret.clientId, clientId));
    w.invalidate(clientTag(clientId));
    const action = secret ? 'client.secret.rotate' : 'client.secret.drop';
    w.audit({ projectId, action, target: `ClientApplication/${clientId}` });
    return { row, ...(secret && { secret }) };
  });
}

function requireKnown(field: keyof RotateInput, given: string | undefined, hash: string | null): void {
  if (given === undefined || secretMatches(given, hash)) return;
  throw new AppError('invalid', `${field} is not the client's`, { expression: field });
}
