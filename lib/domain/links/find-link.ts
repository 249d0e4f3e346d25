import { eq } from 'drizzle-orm';
import { AppError, notFound } from '#lib/base/errors.ts';
import { secretMatches } from '#lib/infra/crypto/secret.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { oneTimeLink } from '#lib/infra/db/schema/login.ts';

export type LinkRow = typeof oneTimeLink.$inferSelect;

/** The link with this id, if the secret is its own. Throws 404 for an unknown id, 400 for a wrong secret. */
export async function requireLink(q: Queryable, id: string, secret: string): Promise<LinkRow> {
  const [row] = await q.select().from(oneTimeLink).where(eq(oneTimeLink.id, id));
  if (!row) throw notFound();
  if (!secretMatches(secret, row.secretHash) && !secretMatches(secret, row.codeSecretHash))
    throw new AppError('invalid', 'Incorrect secret', { expression: 'secret' });
  return row;
}
