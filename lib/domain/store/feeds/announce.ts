import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { takeTurns } from '#lib/base/turns.ts';
import { db, type Queryable, runText } from '#lib/infra/db/client.ts';
import { tell } from '#lib/infra/db/invalidation.ts';
import { createLiveCache } from '#lib/infra/db/live-cache.ts';
import { queueInOrder, queueJob } from '#lib/infra/jobs/queue-job.ts';
import { type Extracted, extract } from '#lib/protocol/fhir/index/extract.ts';
import { evaluate } from '#lib/protocol/fhir/search/ir.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { subscriptionsTag } from '../../access/cache-tags.ts';
import type { Write } from '../../access/context.ts';
import { knowParams } from '../own-params/know-params.ts';
import { type Row, toResource } from '../row.ts';
import { heardSince, LISTENED } from './listening.ts';
import { toNotices } from './notices.ts';
import { orderOf } from './order-of.ts';
import { type Feed, isHeard, type Op, readSubscription, type Subscription } from './read-subscription.ts';

type Told = Record<'projectId' | 'subscriptionId' | 'type' | 'id' | 'version' | 'op' | 'depth', string>;
/** Without an id: what goes over WebSockets is told to all who wait for the same. */
type Live = Feed & { id?: string };
type LiveByType = ReadonlyMap<string, Live[]>;

/** Of one project: each is judged by each change of its type. */
export const MOST_LIVE = 200;

/** Deliveries of one statement: a large transaction that many wait for has a million. */
const MOST_TOGETHER = 1000;

const live = createLiveCache<LiveByType>(10_000);

/** Whether a change of this type would be told to anybody. Kept until a subscription of the project changes, in every process. */
export async function isWatched(projectId: string, type: string): Promise<boolean> {
  return isHeard(type) && (await liveOf(projectId, db())).has(type);
}

/** A version as it is stored now, and what it is found by; of a deletion what is deleted. */
export type Announced = { row: Row; index: () => Extracted };

/**
 * Queues a delivery for each subscription that one of these changes of one type matches, in their transaction. Without subscriptions of the
 * project nothing is asked.
 */
export async function announce(w: Pick<Write, 'tx' | 'depth'>, op: Op, changes: readonly Announced[]): Promise<void> {
  const [first] = changes;
  if (!first || !isHeard(first.row.type)) return;
  const { projectId, type } = first.row;
  const asked = (await liveOf(projectId, w.tx))
    .get(type)
    ?.filter(({ ops, end }) => ops.includes(op) && end > Date.now());
  if (!asked?.length) return;
  const depth = String(w.depth ?? 0);
  const turn = takeTurns();
  const deliveries: { data: Told; isOrdered: boolean }[] = [];
  const told: string[] = [];
  for (const { row, index } of changes) {
    await turn();
    const extracted = index();
    const change = { projectId, type, id: row.id, version: String(row.version), op };
    const feeds: string[] = [];
    for (const { id: subscriptionId, filter, endpoint, isOrdered } of asked) {
      if (!evaluate(filter, extracted, row)) continue;
      if (subscriptionId === undefined) feeds.push(endpoint);
      else deliveries.push({ data: { ...change, subscriptionId, depth }, isOrdered });
    }
    told.push(...toNotices({ ...change, feeds }));
  }
  for (let at = 0; at < deliveries.length; at += MOST_TOGETHER) {
    await turn();
    const some = deliveries.slice(at, at + MOST_TOGETHER);
    await Promise.all(
      some.map(({ data, isOrdered }) => {
        if (!isOrdered) return queueJob(w.tx, 'hook', data, 0, projectId, orderOf(data));
        return queueInOrder(w.tx, data, projectId, orderOf(data));
      }),
    );
  }
  await tell(w.tx, told);
}

/** Told of are locked rows that are deleted just now: judged as they were, by the version that says so. */
export function announceDeleted(w: Pick<Write, 'tx' | 'depth'>, rows: readonly Row[]): Promise<void> {
  const index = (row: Row) => () => extract(row.projectId, toResource(row), fhirBase());
  return announce(
    w,
    'delete',
    rows.map((row) => ({ row: { ...row, version: row.version + 1 }, index: index(row) })),
  );
}

function liveOf(projectId: string, q: Queryable): Promise<LiveByType> {
  return live.get(projectId, async () => ({ value: await load(projectId, q), tags: [subscriptionsTag(projectId)] }));
}

const ACTIVE = `from resource where project_id = $1 and type_id = ${typeId('Subscription')} and not deleted
  and content ->> 'status' = 'active' and content -> 'channel' ->> 'type' is distinct from 'websocket'`;

/** One that cannot be understood any longer hears nothing. */
async function load(projectId: string, q: Queryable): Promise<LiveByType> {
  await knowParams(projectId, q);
  const text = `(select id, content::text as content ${ACTIVE} order by id limit ${MOST_LIVE}) union all (${LISTENED})`;
  const rows = await runText<{ id: string | null; content: string }>(q, text, [projectId, heardSince()]);
  const feeds = rows.flatMap(({ id, content }) => understood(projectId, content, id ?? undefined));
  return Map.groupBy(feeds, ({ type }) => type);
}

function understood(projectId: string, content: string, id?: string): Live[] {
  try {
    return [{ id, ...readSubscription(projectId, JSON.parse(content) as Subscription) }];
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}

/** How many are active besides this one. */
export async function countLive(tx: Queryable, projectId: string, id: string): Promise<number> {
  const [row] = await runText<{ count: number }>(tx, `select count(*)::int as count ${ACTIVE} and id <> $2`, [
    projectId,
    id,
  ]);
  return row?.count ?? 0;
}
