import { sql } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { FACTOR_METHODS, type FactorMethod } from '#lib/protocol/factors/answers.ts';

/** What the person has enrolled, in the order in which it is offered. */
export async function findFactors(q: Queryable, userId: string): Promise<FactorMethod[]> {
  const rows = await q.execute<{ method: FactorMethod }>(
    sql`select method from factor where user_id = ${userId} and enrolled_at is not null`,
  );
  return FACTOR_METHODS.filter((method) => rows.some((row) => row.method === method));
}
