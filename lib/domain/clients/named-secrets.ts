import { and, asc, eq } from 'drizzle-orm';
import { AppError, notFound } from '#lib/base/errors.ts';
import { isUuid, newId, newSecret } from '#lib/base/ids.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { clientNamedSecret, clientSecret } from '#lib/infra/db/schema/clients.ts';
import type { ClientSecretRow, NewClientSecret } from '#lib/protocol/answers/clients.ts';
import type { NewSecretRequest } from '#lib/protocol/requests/create-client.ts';
import { clientTag } from '../access/cache-tags.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { requireProof } from '../proofs/require-proof.ts';

const MOST_SECRETS = 10;

/** The named secrets of a client, the oldest first: what is known of them, never themselves. Throws 403 and 404. */
export async function listSecrets(ctx: Ctx, projectId: string, clientId: string): Promise<ClientSecretRow[]> {
  requireProjectAdmin(ctx, projectId);
  await requireFirst(db(), projectId, clientId, false);
  const rows = await db()
    .select()
    .from(clientNamedSecret)
    .where(ofClient(projectId, clientId))
    .orderBy(asc(clientNamedSecret.createdAt), asc(clientNamedSecret.id));
  return rows.map(({ id, name, hint, createdAt, expiresAt, lastUsedAt }) => ({
    id,
    name,
    hint,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }));
}

/** One more, which is in the result and nowhere else; the others go on working. Throws 403, 404, and 409 for one too many or a name that is taken. */
export async function addSecret(
  ctx: Ctx,
  projectId: string,
  clientId: string,
  { name, expiresAt }: NewSecretRequest,
): Promise<NewClientSecret> {
  const actor = requireProjectAdmin(ctx, projectId);
  return write(ctx, async (w) => {
    await requireProof(actor, w.tx);
    await requireFirst(w.tx, projectId, clientId, true);
    const known = await w.tx
      .select({ name: clientNamedSecret.name })
      .from(clientNamedSecret)
      .where(ofClient(projectId, clientId));
    if (known.length >= MOST_SECRETS) {
      throw new AppError('conflict', `A client has at most ${MOST_SECRETS} named secrets; take one out first`);
    }
    if (known.some((one) => one.name.toLowerCase() === name.toLowerCase())) {
      throw new AppError('conflict', 'The client has a secret of this name', { expression: 'name' });
    }
    const [id, secret] = [newId(), newSecret()];
    const hint = secret.slice(-4);
    const ends = expiresAt === undefined ? null : new Date(expiresAt);
    const row = { id, clientId, projectId, name, secretHash: hashSecret(secret), hint, expiresAt: ends };
    await w.tx.insert(clientNamedSecret).values(row);
    w.invalidate(clientTag(clientId));
    const after = { name, hint, expiresAt: ends?.toISOString() };
    w.audit({ projectId, action: 'client.secret.add', target: `ClientApplication/${clientId}`, after });
    return { id, name, secret, expiresAt: ends?.toISOString() ?? null };
  });
}

/** The secret works no longer, at once. Tokens that were made with it live on to their end. Throws 403 and 404. */
export async function removeSecret(ctx: Ctx, projectId: string, clientId: string, secretId: string): Promise<void> {
  requireProjectAdmin(ctx, projectId);
  if (!isUuid(secretId)) throw notFound();
  await write(ctx, async (w) => {
    await requireFirst(w.tx, projectId, clientId, true);
    const [gone] = await w.tx
      .delete(clientNamedSecret)
      .where(and(ofClient(projectId, clientId), eq(clientNamedSecret.id, secretId)))
      .returning({ name: clientNamedSecret.name, hint: clientNamedSecret.hint });
    if (!gone) throw notFound();
    w.invalidate(clientTag(clientId));
    w.audit({ projectId, action: 'client.secret.remove', target: `ClientApplication/${clientId}`, before: gone });
  });
}

/** A client that signs in has a first secret: the one of a directory has none, and gets none. It is the lock for the others. */
async function requireFirst(q: Queryable, projectId: string, clientId: string, isLocked: boolean): Promise<void> {
  if (!isUuid(projectId) || !isUuid(clientId)) throw notFound();
  const own = and(eq(clientSecret.projectId, projectId), eq(clientSecret.clientId, clientId));
  const asked = q.select({ id: clientSecret.clientId }).from(clientSecret).where(own);
  const [first] = await (isLocked ? asked.for('update') : asked);
  if (!first) throw notFound();
}

function ofClient(projectId: string, clientId: string) {
  return and(eq(clientNamedSecret.projectId, projectId), eq(clientNamedSecret.clientId, clientId));
}
