import { db } from '#lib/infra/db/client.ts';
import { auditKey } from '#lib/infra/db/schema/audit-chain.ts';

/** A JWKS (RFC 7517) of all keys that ever signed a head. No token is verified with it: most of them are out of use. */
export async function auditKeys(): Promise<{ keys: unknown[] }> {
  const rows = await db().select().from(auditKey).orderBy(auditKey.at);
  return { keys: rows.map(({ publicJwk }) => publicJwk) };
}
