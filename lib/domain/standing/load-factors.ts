import { sql } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { isAnyUuidOf } from '#lib/infra/db/text-array.ts';
import { HELD_FACTORS, type HeldFactor } from '#lib/protocol/factors/answers.ts';

/** What these accounts have beside a password, out of the tables that tell it; who has nothing is left out. */
export async function loadFactors(q: Queryable, userIds: readonly string[]): Promise<Map<string, HeldFactor[]>> {
  if (userIds.length === 0) return new Map();
  const ids = [...userIds];
  const rows = await q.execute<{ user_id: string; held: HeldFactor }>(sql`
    select f.user_id, f.method as held from factor f where ${isAnyUuidOf(sql`f.user_id`, ids)} and f.enrolled_at is not null
    union select p.user_id, 'passkey' from passkey p where ${isAnyUuidOf(sql`p.user_id`, ids)} and p.ended_at is null`);
  const byUser = Map.groupBy(rows, (row) => row.user_id);
  const inOrder = (own: { held: HeldFactor }[]) => HELD_FACTORS.filter((one) => own.some(({ held }) => held === one));
  return new Map([...byUser].map(([userId, own]) => [userId, inOrder(own)]));
}

/** As membership_key keeps them. */
export function toStoredFactors(held: readonly HeldFactor[] | undefined): string {
  return (held ?? []).join(',');
}

export function readStoredFactors(stored: string): HeldFactor[] {
  return HELD_FACTORS.filter((one) => stored.split(',').includes(one));
}
