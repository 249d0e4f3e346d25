import { db } from '#lib/infra/db/client.ts';
import { auditKey } from '#lib/infra/db/schema/audit-chain.ts';
import type { OwnKey } from '../signing/signing-keys.ts';

const kept = new Set<string>();

/** The public half of what signs a proof is kept: who verifies an old one asks for it when the key is gone. */
export async function keepKey({ kid, publicJwk }: OwnKey): Promise<void> {
  if (kept.has(kid)) return;
  await db().insert(auditKey).values({ kid, publicJwk }).onConflictDoNothing();
  kept.add(kid);
}
