import { and, count, eq, isNull } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { passkey } from '#lib/infra/db/schema/passkey.ts';

/** How many the person signs in with. */
export async function countPasskeys(q: Queryable, userId: string): Promise<number> {
  const own = and(eq(passkey.userId, userId), isNull(passkey.endedAt));
  const [row] = await q.select({ n: count() }).from(passkey).where(own);
  return row?.n ?? 0;
}
