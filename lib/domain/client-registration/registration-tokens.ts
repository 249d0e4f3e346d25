import { and, desc, eq, gt, sql } from 'drizzle-orm';
import { AppError, notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { makeNamedToken, readNamedToken, type TokenName } from '#lib/infra/crypto/named-token.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { db } from '#lib/infra/db/client.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import { registrationToken } from '#lib/infra/db/schema/clients.ts';
import type { NewRegistrationTokenAnswer, RegistrationTokenRow } from '#lib/protocol/answers/clients.ts';
import type { NewRegistrationToken } from '#lib/protocol/clients/registration.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { shareProject } from '../memberships/share-project.ts';
import { requireProof } from '../proofs/require-proof.ts';

const PREFIX = 'gapp_';
const MOST_TOKENS = 20;
const DAY_MS = 86_400_000;

/** Undefined for what is no such token at all. */
export function readRegistrationToken(token: string): TokenName | undefined {
  return readNamedToken(PREFIX, token);
}

/** The project's, the newest first; those that have ended stay for a month. For administrators. */
export async function listRegistrationTokens(ctx: Ctx, projectId: string): Promise<RegistrationTokenRow[]> {
  requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  const rows = await db()
    .select()
    .from(registrationToken)
    .where(eq(registrationToken.projectId, projectId))
    .orderBy(desc(registrationToken.createdAt), desc(registrationToken.id));
  return rows.map(({ id, name, hint, createdBy, createdAt, expiresAt, most, used }) => ({
    ...{ id, name, hint, createdBy, most, used },
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }));
}

/** A token by which apps register themselves, which is in the result and nowhere else. Throws 403, 404, and 409 for one too many. */
export async function addRegistrationToken(
  ctx: Ctx,
  projectId: string,
  { name, days, most }: NewRegistrationToken,
): Promise<NewRegistrationTokenAnswer> {
  const actor = requireProjectAdmin(ctx, projectId);
  return write(ctx, async (w) => {
    await requireProof(actor, w.tx);
    await lockName(w.tx, `registration-tokens:${projectId}`);
    await shareProject(w.tx, projectId);
    const live = and(eq(registrationToken.projectId, projectId), gt(registrationToken.expiresAt, new Date()));
    const [counted] = await w.tx.select({ n: sql<number>`count(*)::int` }).from(registrationToken).where(live);
    if ((counted?.n ?? 0) >= MOST_TOKENS)
      throw new AppError('conflict', `A project has at most ${MOST_TOKENS} registration tokens; take one back first`);
    const { id, token } = makeNamedToken(PREFIX, projectId);
    const hint = token.slice(-4);
    const expiresAt = new Date(Date.now() + days * DAY_MS);
    const createdBy = actor.profileDisplay ?? actor.profile;
    await w.tx
      .insert(registrationToken)
      .values({ projectId, id, name, hint, most, createdBy, expiresAt, secretHash: hashSecret(token) });
    const after = { name, hint, most, expiresAt: expiresAt.toISOString() };
    w.audit({ projectId, action: 'client.token.create', target: `Project/${projectId}`, after });
    return { id, name, token, expiresAt: expiresAt.toISOString() };
  });
}

/** No app registers with it from now on; those that have stay. Throws 403 and 404. */
export async function revokeRegistrationToken(ctx: Ctx, projectId: string, id: string): Promise<void> {
  requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId) || !isUuid(id)) throw notFound();
  await write(ctx, async (w) => {
    const [gone] = await w.tx
      .delete(registrationToken)
      .where(and(eq(registrationToken.projectId, projectId), eq(registrationToken.id, id)))
      .returning({ name: registrationToken.name, hint: registrationToken.hint, used: registrationToken.used });
    if (!gone) throw notFound();
    w.audit({ projectId, action: 'client.token.revoke', target: `Project/${projectId}`, before: gone });
  });
}
