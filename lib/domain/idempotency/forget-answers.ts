import { and, asc, eq, gt, sql } from 'drizzle-orm';
import { unseal } from '#lib/infra/crypto/seal.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { idempotencyKey } from '#lib/infra/db/schema/operations.ts';
import { SEALED } from './sealed.ts';

const PAGE = 200;

/** Drops the answers of a project that name something, so that nobody is told them again. They are sealed: each is opened. */
export async function forgetAnswers(tx: Queryable, projectId: string, name: string): Promise<void> {
  const { membershipId, key, body, headers } = idempotencyKey;
  const place = sql<string>`${membershipId}::text || ' ' || ${key}`;
  for (let after = ''; ; ) {
    const rows = await tx
      .select({ membershipId, key, body, headers, place })
      .from(idempotencyKey)
      .where(and(eq(idempotencyKey.projectId, projectId), gt(idempotencyKey.status, 0), gt(place, after)))
      .orderBy(asc(place))
      .limit(PAGE);
    for (const row of rows)
      if (isAbout(row, name))
        await tx
          .delete(idempotencyKey)
          .where(and(eq(idempotencyKey.projectId, projectId), eq(membershipId, row.membershipId), eq(key, row.key)));
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.place;
  }
}

function isAbout({ body, headers }: { body: string; headers: unknown }, name: string): boolean {
  if (JSON.stringify(headers).includes(name)) return true;
  const { text = '', base64 } = JSON.parse(unseal(SEALED.idempotency_key.purpose, body)) as Partial<
    Record<string, string>
  >;
  return text.includes(name) || (base64 !== undefined && Buffer.from(base64, 'base64').includes(name));
}
