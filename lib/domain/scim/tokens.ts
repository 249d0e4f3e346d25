import { and, eq } from 'drizzle-orm';
import { AppError, notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { scimToken } from '#lib/infra/db/schema/scim.ts';
import type { NewScimToken } from '#lib/protocol/answers/scim-connections.ts';
import { scimTag } from '../access/cache-tags.ts';
import { type Ctx, requireProjectAdmin, type Write } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { type Connection, lockConnection } from './connections.ts';
import { makeToken } from './scim-token.ts';

const MOST_TOKENS = 5;

/** A further token of a connection; the others go on working until they are taken back. Throws 403, 404, and 409 for one too many. */
export async function addToken(ctx: Ctx, projectId: string, connectionId: string): Promise<NewScimToken> {
  const actor = requireProjectAdmin(ctx, projectId);
  return write(ctx, async (w) => {
    await requireProof(actor, w.tx);
    const connection = await lockConnection(w.tx, projectId, connectionId);
    const own = and(eq(scimToken.projectId, projectId), eq(scimToken.connectionId, connectionId));
    const tokens = await w.tx.select({ id: scimToken.id }).from(scimToken).where(own);
    if (tokens.length >= MOST_TOKENS) {
      throw new AppError('conflict', `A directory has at most ${MOST_TOKENS} tokens; take one back first`);
    }
    return { id: connectionId, ...(await insertToken(w, connection)) };
  });
}

/** The token works no longer, at once. Throws 403 and 404. */
export async function revokeToken(ctx: Ctx, projectId: string, connectionId: string, tokenId: string): Promise<void> {
  requireProjectAdmin(ctx, projectId);
  await write(ctx, async (w) => {
    const { clientId } = await lockConnection(w.tx, projectId, connectionId);
    if (!isUuid(tokenId)) throw notFound();
    const one = and(
      eq(scimToken.projectId, projectId),
      eq(scimToken.id, tokenId),
      eq(scimToken.connectionId, connectionId),
    );
    const [gone] = await w.tx.delete(scimToken).where(one).returning({ hint: scimToken.hint });
    if (!gone) throw notFound();
    w.invalidate(scimTag(connectionId));
    const target = `ClientApplication/${clientId}`;
    w.audit({ projectId, action: 'scim.token.revoke', target, before: { hint: gone.hint } });
  });
}

export async function insertToken(
  w: Write,
  { projectId, id: connectionId, clientId }: Pick<Connection, 'projectId' | 'id' | 'clientId'>,
): Promise<{ tokenId: string; token: string }> {
  const { id, token } = makeToken(projectId);
  const hint = token.slice(-4);
  await w.tx.insert(scimToken).values({ projectId, id, connectionId, secretHash: hashSecret(token), hint });
  w.audit({ projectId, action: 'scim.token.create', target: `ClientApplication/${clientId}`, after: { hint } });
  return { tokenId: id, token };
}
