import { AppError, notFound } from '#lib/base/errors.ts';
import { db } from '#lib/infra/db/client.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import type { ApiKeyRow, NewApiKey, OwnApiKeys } from '#lib/protocol/api-keys/answers.ts';
import type { NewApiKeyRequest } from '#lib/protocol/api-keys/request.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { type ApiKey, endKeys, insertKey, keysOf } from '../api-keys/key-rows.ts';
import { write } from '../audit/write.ts';
import { requireOwnAccount } from '../passkeys/require-own-account.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { requireFactorShown } from '../sign-in/require-factor-shown.ts';

const MOST_KEYS = 10;

/** The caller's own keys in this project. Throws 403 for who has not signed in themselves. */
export async function listOwnKeys(ctx: Ctx): Promise<OwnApiKeys> {
  await requireOwnAccount(ctx);
  const { projectId, membershipId, mayHaveKeys } = requireActor(ctx);
  const rows = await keysOf(db(), projectId, membershipId);
  return { allowed: mayHaveKeys, rows: rows.map(toRow) };
}

/**
 * A key with some of the caller's rights in this project, which is in the result and nowhere else. Throws 403 where the project has none, for an
 * app, a program, a key, and a session that has not shown its second factor; 409 for one too many.
 */
export async function addOwnKey(ctx: Ctx, { name, scope, expiresAt }: NewApiKeyRequest): Promise<NewApiKey> {
  const { login } = await requireOwnAccount(ctx);
  const { projectId, membershipId, user: userRef, mayHaveKeys } = requireActor(ctx);
  if (!mayHaveKeys) throw new AppError('forbidden', 'This project does not let people have API keys');
  await requireFactorShown(login);
  return write(ctx, async (w) => {
    await requireProof(w.actor, w.tx);
    await lockName(w.tx, `keys:${projectId}:${membershipId}`);
    if ((await keysOf(w.tx, projectId, membershipId)).length >= MOST_KEYS) {
      throw new AppError('conflict', `A person has at most ${MOST_KEYS} keys in a project; end one first`);
    }
    const key = { projectId, membershipId, userRef, name, scope, expiresAt: new Date(expiresAt) };
    const { row, token } = await insertKey(w, key);
    const after = { name, scope, hint: row.hint, expiresAt: row.expiresAt.toISOString() };
    w.audit({ projectId, action: 'key.create', target: `ProjectMembership/${membershipId}`, after });
    return { ...toRow(row), key: token };
  });
}

/** It works no longer, at once. Throws 403, and 404 for one that is not the caller's. */
export async function endOwnKey(ctx: Ctx, id: string): Promise<void> {
  await requireOwnAccount(ctx);
  const { projectId, membershipId } = requireActor(ctx);
  await write(ctx, async (w) => {
    const [gone] = await endKeys(w, projectId, { membershipId, id });
    if (!gone) throw notFound();
    w.audit({ projectId, action: 'key.end', target: `ProjectMembership/${membershipId}`, before: told(gone) });
  });
}

export function toRow({ id, name, hint, scope, createdAt, expiresAt, lastUsedAt }: ApiKey): ApiKeyRow {
  return {
    id,
    name,
    hint,
    scope,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}

/** For the audit trail. */
export function told({ name, hint }: ApiKey): { name: string; hint: string } {
  return { name, hint };
}
