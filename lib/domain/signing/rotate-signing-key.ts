import { and, desc, eq, notInArray } from 'drizzle-orm';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import { signingKey } from '#lib/infra/db/schema/identity.ts';
import { SIGNING_KEYS_TAG } from '../access/cache-tags.ts';
import { type Ctx, requireSuperAdmin, type Write } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { makeSigningKey } from './make-signing-key.ts';
import { beforeOf } from './signing-keys.ts';

/** A key signs for so long; then the next one takes over by itself. */
const SIGNS_FOR_MS = 90 * 86_400_000;

export type Rotation = { kid: string };

/**
 * A new key of each kind signs from here on, and nothing is left that the older ones could sign with. They go on verifying until no token of theirs can
 * live any more (`sweep-signing-keys.ts`); with `retire` they end now, and every token with them. For super-admins.
 */
export async function rotateSigningKey(ctx: Ctx, { retire }: { retire: boolean }): Promise<Rotation> {
  await requireProof(requireSuperAdmin(ctx));
  return write(ctx, (w) => rotate(w, retire));
}

/** The same by schedule: of several processes one does it. */
export async function rotateDueKey(ctx: Ctx): Promise<void> {
  if (!(await isDue(db()))) return;
  await write(ctx, async (w) => {
    await lockName(w.tx, SIGNING_KEYS_TAG);
    if (!(await isDue(w.tx))) throw new NotDue();
    await rotate(w, false);
  }).catch((error: unknown) => {
    if (!(error instanceof NotDue)) throw error;
  });
}

/** Another process was first. */
class NotDue extends Error {}

async function isDue(q: Queryable): Promise<boolean> {
  const [newest] = await q
    .select()
    .from(signingKey)
    .where(and(eq(signingKey.active, true), eq(signingKey.alg, 'ES256')))
    .orderBy(NEWEST_FIRST)
    .limit(1);
  return newest !== undefined && Date.now() - newest.createdAt.getTime() > SIGNS_FOR_MS;
}

const NEWEST_FIRST = desc(signingKey.createdAt);

const IS_RSA = and(eq(signingKey.active, true), eq(signingKey.alg, 'RS256'));

async function rotate(w: Write, retire: boolean): Promise<Rotation> {
  const made = await makeSigningKey();
  const others = await w.tx.select({ kid: signingKey.kid }).from(signingKey).where(IS_RSA).limit(1);
  const rows = [made];
  // Only where somebody has asked for one.
  if (others.length > 0) rows.push({ ...(await makeSigningKey('RS256')), createdAt: beforeOf(made.createdAt) });
  await w.tx.insert(signingKey).values(rows);
  const kids = rows.map(({ kid }) => kid);
  const older = and(notInArray(signingKey.kid, kids), eq(signingKey.active, true));
  await w.tx.update(signingKey).set({ privateSealed: '', active: !retire }).where(older);
  w.audit({
    projectId: SERVER_SCOPE,
    action: 'signing-key.rotate',
    target: `JsonWebKey/${made.kid}`,
    after: { retired: retire },
  });
  return { kid: made.kid };
}
