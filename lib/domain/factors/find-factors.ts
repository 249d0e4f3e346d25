import { sql } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { isAnyUuidOf } from '#lib/infra/db/text-array.ts';
import { FACTOR_METHODS, type FactorMethod } from '#lib/protocol/factors/answers.ts';

/** What the person has enrolled, in the order in which it is offered. */
export async function findFactors(q: Queryable, userId: string): Promise<FactorMethod[]> {
  return (await findFactorsOf(q, [userId])).get(userId) ?? [];
}

/** The same of many; who has none is left out. */
export async function findFactorsOf(q: Queryable, userIds: string[]): Promise<Map<string, FactorMethod[]>> {
  if (userIds.length === 0) return new Map();
  const rows = await q.execute<{ user_id: string; method: FactorMethod }>(
    sql`select user_id, method from factor where ${isAnyUuidOf(sql`user_id`, userIds)} and enrolled_at is not null`,
  );
  const byUser = Map.groupBy(rows, (row) => row.user_id);
  const inOrder = (own: { method: FactorMethod }[]) =>
    FACTOR_METHODS.filter((method) => own.some((row) => row.method === method));
  return new Map([...byUser].map(([userId, own]) => [userId, inOrder(own)]));
}
