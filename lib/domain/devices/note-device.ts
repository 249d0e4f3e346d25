import { sql } from 'drizzle-orm';
import { newId } from '#lib/base/ids.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import type { Ctx } from '../access/context.ts';

/** Scripts sign in without keeping anything, each time from a device of its own. */
const MOST = 50;

export type NotedDevice = {
  id: string;
  /** Not seen of this person before, who has come in by another. */
  isNew: boolean;
};

/** Keeps by which browser somebody comes in. `token`: as `rememberDevice` gives it; only its hash is kept. The oldest of more than fifty go. */
export async function noteDevice(q: Queryable, userId: string, token: string, ctx: Ctx): Promise<NotedDevice> {
  const { remoteAddress, userAgent } = ctx;
  const [row] = await q.execute<{ id: string; inserted: boolean; had_others: boolean }>(sql`
    with kept as (
      insert into known_device (id, user_id, token_hash, user_agent, remote_address)
      values (${newId()}, ${userId}, ${hashSecret(token)}, ${userAgent}, ${remoteAddress})
      on conflict (user_id, token_hash) do update
        set user_agent = excluded.user_agent, remote_address = excluded.remote_address, last_seen_at = now()
      returning id, xmax = 0 as inserted)
    select id, inserted, exists (select from known_device d where d.user_id = ${userId}) as had_others from kept`);
  if (row!.inserted && row!.had_others) await dropOldest(q, userId);
  return { id: row!.id, isNew: row!.inserted && row!.had_others };
}

async function dropOldest(q: Queryable, userId: string): Promise<void> {
  await q.execute(sql`
    delete from known_device where user_id = ${userId} and id in (
      select id from known_device where user_id = ${userId} order by last_seen_at desc, id desc offset ${MOST})`);
}
