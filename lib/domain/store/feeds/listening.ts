import { type Queryable, runText } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Write } from '../../access/context.ts';
import { type Row, toResource } from '../row.ts';
import { isSocketFeed, readSubscription, type Subscription } from './read-subscription.ts';

/** Whoever said for so long no more that they listen is gone: their process was killed. Three times as long as between two such words. */
const GONE_MS = 15 * 60_000;
/** So long after its last listener a Subscription is kept. */
const KEPT_MS = 60 * 60_000;
/** What a project waits for together: each is judged by each change of its type. */
export const MOST_FEEDS = 1000;
/** What was begun so recently may not be known in every process yet. */
const NEW_MS = 2000;

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

/** Whether it goes over WebSockets, and so ends by itself. */
export function isForSockets(row: Row): boolean {
  if (row.deleted || row.content === null) return false;
  const { status, channel } = toResource<Subscription>(row);
  return status === 'active' && channel?.type === 'websocket';
}

/** With each change of a Subscription: notes that it is for sockets, or that it is not any more. */
export async function noteListening(w: Pick<Write, 'tx' | 'actor'>, row: Row): Promise<void> {
  const { projectId, id } = row;
  if (!isForSockets(row)) return forgetListening(w.tx, projectId, [id]);
  if (!w.actor) return;
  const feed = readSubscription(projectId, toResource<Subscription>(row));
  if (!isSocketFeed(feed)) return;
  const text = `insert into listening (project_id, subscription_id, membership_id, feed, seen_at) values ($1, $2, $3, $4, $5)
    on conflict (project_id, subscription_id) do update set membership_id = excluded.membership_id, feed = excluded.feed`;
  await runText(w.tx, text, [projectId, id, w.actor.membershipId, feed.endpoint, ago(0)]);
}

export async function forgetListening(tx: Queryable, projectId: string, ids: readonly string[]): Promise<void> {
  const text = 'delete from listening where project_id = $1 and subscription_id = any($2::text[])';
  await runText(tx, text, [projectId, toTextArray(ids)]);
}

export type Kept = { id: string; bound: boolean };

/** Those of one member, at most so many; those that nobody listens to first, oldest first. */
export function listOfMember(tx: Queryable, projectId: string, membershipId: string, most: number): Promise<Kept[]> {
  const text = `select subscription_id as id, holder is not null and seen_at > $3 as bound from listening
    where project_id = $1 and membership_id = $2 order by holder is not null and seen_at > $3, seen_at limit $4`;
  return runText<Kept>(tx, text, [projectId, membershipId, ago(GONE_MS), most]);
}

export type Bound = { isNew: boolean; feeds: number };

/**
 * From now on this socket listens, and no other. `isNew`: processes may not know yet that this is waited for; `feeds`: what the project waits for
 * besides. Undefined for what is not there any more.
 */
export async function bindListening(
  tx: Queryable,
  { projectId, id, holder }: { projectId: string; id: string; holder: string },
): Promise<Bound | undefined> {
  const found = 'select feed, holder from listening where project_id = $1 and subscription_id = $2 for update';
  const [before] = await runText<{ feed: string; holder: string | null }>(tx, found, [projectId, id]);
  if (!before) return undefined;
  await setHolder(tx, projectId, [id], { from: before.holder, to: holder });
  const others = `select count(distinct feed)::int as feeds, coalesce(bool_or(feed = $3 and seen_at < $5), false) as known
    from listening where project_id = $1 and subscription_id <> $2 and holder is not null and seen_at > $4`;
  const params = [projectId, id, before.feed, ago(GONE_MS), ago(NEW_MS)];
  const [around] = await runText<{ feeds: number; known: boolean }>(tx, others, params);
  return { isNew: !around?.known && before.holder !== holder, feeds: around?.feeds ?? 0 };
}

/** Of those that `from` holds, `to` does; the same, where it still listens. */
export async function setHolder(
  q: Queryable,
  projectId: string,
  ids: readonly string[],
  { from, to }: { from: string | null; to: string | null },
): Promise<void> {
  const text = `update listening set holder = $4::uuid, seen_at = $5
    where project_id = $1 and subscription_id = any($2::text[]) and holder is not distinct from $3::uuid`;
  await runText(q, text, [projectId, toTextArray(ids), from, to, ago(0)]);
}

/** Which socket listens, if one does. */
export async function findHolder(projectId: string, id: string, q: Queryable): Promise<string | undefined> {
  const text = 'select holder from listening where project_id = $1 and subscription_id = $2';
  const [row] = await runText<{ holder: string | null }>(q, text, [projectId, id]);
  return row?.holder ?? undefined;
}

/** A Subscription for each different thing that somebody of the project $1 listens to; $2: `heardSince()`. */
export const LISTENED = `select null as id, r.content::text as content from (
      select distinct on (feed) feed, subscription_id from listening
      where project_id = $1 and holder is not null and seen_at > $2 order by feed, subscription_id limit ${MOST_FEEDS}) l
    join resource r on r.project_id = $1 and r.type_id = ${typeId('Subscription')} and r.id = l.subscription_id and not r.deleted`;

export function heardSince(): string {
  return ago(GONE_MS);
}

/** Those to which nobody has listened for long, locked; at most so many. */
export async function lockForgotten(tx: Queryable, projectId: string, most: number): Promise<string[]> {
  const text = `select subscription_id as id from listening where project_id = $1 and seen_at < $2
    order by subscription_id limit $3 for update skip locked`;
  const rows = await runText<{ id: string }>(tx, text, [projectId, ago(KEPT_MS), most]);
  return rows.map(({ id }) => id);
}
