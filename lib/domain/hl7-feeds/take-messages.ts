import { sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { gathering } from '#lib/base/gathering.ts';
import { newId } from '#lib/base/ids.ts';
import { type Queryable, runText, transaction } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import type { MessageState } from '#lib/protocol/hl7/feeds/feed-answers.ts';
import type { Hl7Message } from '#lib/protocol/hl7/message.ts';
import { fingerprint } from './fingerprint.ts';
import type { Listened } from './listened.ts';
import { INTERRUPTED } from './message-rows.ts';
import { patientsOf } from './patients-of.ts';

/** `isRepeat`: it was there. `state`: as it stood then. */
export type Taken = { id: string; isRepeat: boolean; state: MessageState };

/** `again`: one that was sent before, and failed, is to run once more: its sender was told that it had. */
type Incoming = { feed: Listened; message: Hl7Message; text: string; again: boolean };

/** What waits to run, of one project: who sends more is told to try later. */
const MOST_WAITING = 10_000;
const MOST_WAITING_BYTES = 256 * 1024 * 1024;
/** A sender that waits for an acknowledgement sends again within minutes, or when it is back: after a weekend, too. */
const REPEAT_DAYS = 7;
/** Of one statement. */
const MOST_TOGETHER = 200;

/**
 * Keeps a message, durably and in the order of its feed, when this resolves; what was sent before is found, and not kept twice. Called by the one process that
 * listens. Throws 429 when too many wait.
 */
export function takeMessage(incoming: Incoming): Promise<Taken> {
  const marked = { ...incoming, mark: fingerprint(incoming.message) };
  return take(incoming.feed.id, marked).then((taken) => taken.get(marked)!);
}

type Marked = Incoming & { mark: string };

/** Of one feed one after the other: each batch knows what those before have made. */
const busy = new Map<string, Promise<unknown>>();

const take = gathering(
  async (feedId: string, items: Marked[]): Promise<Map<Marked, Taken>> => {
    const before = busy.get(feedId);
    const mine = (before ?? Promise.resolve()).then(() => storeAll(items));
    const settled = mine.catch(() => {});
    busy.set(feedId, settled);
    void settled.then(() => busy.get(feedId) === settled && busy.delete(feedId));
    return mine;
  },
  { most: MOST_TOGETHER },
);

function storeAll(items: Marked[]): Promise<Map<Marked, Taken>> {
  const { projectId, id: feedId } = items[0]!.feed;
  return transaction(async (tx) => {
    await shareFeed(tx, projectId, feedId);
    const known = await findKnown(tx, { projectId, feedId }, items);
    const made: { id: string; item: Marked }[] = [];
    const taken = new Map<Marked, Taken>();
    for (const item of items) {
      const found = known.get(item.mark);
      if (found) taken.set(item, { ...found, isRepeat: true });
      else {
        const fresh = { id: newId(), state: 'waiting' as const };
        known.set(item.mark, fresh);
        made.push({ id: fresh.id, item });
        taken.set(item, { ...fresh, isRepeat: false });
      }
    }
    const again = items.filter((item) => item.again && taken.get(item)!.state === 'failed');
    const ids = again.map((item) => taken.get(item)!.id);
    const woken = ids.length > 0 ? await wakeFailed(tx, projectId, ids) : new Set();
    for (const item of again) {
      const found = taken.get(item)!;
      if (woken.has(found.id)) taken.set(item, { ...found, state: 'waiting' });
    }
    if (made.length > 0) {
      await requireRoom(tx, projectId);
      await insert(tx, { projectId, feedId }, made);
    }
    return taken;
  });
}

/** It stays until these are kept: what is acknowledged is in a feed that is there. */
async function shareFeed(tx: Queryable, projectId: string, feedId: string): Promise<void> {
  const [row] = await tx.execute(sql`
    select 1 from hl7_feed where project_id = ${projectId}::uuid and id = ${feedId}::uuid for key share`);
  if (!row) throw new AppError('not-found', 'This feed was removed');
}

type Whose = { projectId: string; feedId: string };
type Known = { id: string; state: MessageState };

async function findKnown(tx: Queryable, { projectId, feedId }: Whose, items: Marked[]): Promise<Map<string, Known>> {
  const marks = [...new Set(items.map(({ mark }) => mark))];
  const rows = await tx.execute<Known & { fingerprint: string }>(sql`
    select m.fingerprint, m.id, m.state from hl7_message m
    where m.project_id = ${projectId}::uuid and m.feed_id = ${feedId}::uuid and m.fingerprint = any(${toTextArray(marks)}::text[])
      and m.received_at > now() - make_interval(days => ${REPEAT_DAYS}) order by m.seq`);
  return new Map(rows.map(({ fingerprint: mark, ...known }) => [mark, known]));
}

/** Not what was cut off: its sender was told nothing, and what it did stands. */
async function wakeFailed(tx: Queryable, projectId: string, ids: string[]): Promise<Set<string>> {
  const rows = await tx.execute<{ id: string }>(sql`
    update hl7_message set state = 'waiting', tries = 0, answer = null
    where project_id = ${projectId}::uuid and id = any(${toTextArray(ids)}::uuid[]) and state = 'failed' and text is not null
      and failure is distinct from ${INTERRUPTED} returning id`);
  return new Set(rows.map(({ id }) => id));
}

async function requireRoom(tx: Queryable, projectId: string): Promise<void> {
  const [row] = await tx.execute<{ count: number; bytes: number }>(sql`
    select count(*)::int as count, coalesce(sum(size), 0)::float8 as bytes from (
      select m.size from hl7_message m where m.project_id = ${projectId}::uuid and m.state in ('waiting', 'running') limit ${MOST_WAITING}) w`);
  if (row!.count < MOST_WAITING && row!.bytes < MOST_WAITING_BYTES) return;
  throw new AppError('too-many-requests', 'Too many messages of this project wait to be run', {
    retryAfterSeconds: 60,
  });
}

const COLUMNS = 'id, feed_id, seq, control_id, type, fingerprint, state, received_at, tries, size, text, patients';
/** One text for any number of rows. The order goes on where it is: two who would write the same place are told so by the index. */
const INSERT = `
  insert into hl7_message (project_id, ${COLUMNS})
  select $1::uuid, r.id, $2::uuid, r.seq + coalesce((select max(m.seq) from hl7_message m where m.project_id = $1::uuid and m.feed_id = $2::uuid), 0),
    r.control_id, r.type, r.fingerprint, 'waiting', now(), 0, r.size, r.text, r.patients
  from jsonb_populate_recordset(null::hl7_message, $3::text::jsonb) r`;

async function insert(
  tx: Queryable,
  { projectId, feedId }: Whose,
  made: { id: string; item: Marked }[],
): Promise<void> {
  const rows = made.map(({ id, item: { message, text, mark } }, index) => ({
    id,
    seq: index + 1,
    control_id: message.header.getField(10)?.toString() ?? '',
    type: (message.header.getField(9)?.toString() ?? '').slice(0, MOST_TYPE).toWellFormed(),
    fingerprint: mark,
    size: Buffer.byteLength(text),
    text,
    patients: patientsOf(message, text),
  }));
  await runText(tx, INSERT, [projectId, feedId, JSON.stringify(rows)]);
}

const MOST_TYPE = 100;
