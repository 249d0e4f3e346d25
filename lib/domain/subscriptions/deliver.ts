import { createHmac } from 'node:crypto';
import { AppError } from '#lib/base/errors.ts';
import { fetchOutside } from '#lib/infra/net/fetch-outside.ts';
import type { Actor, Ctx } from '../access/context.ts';
import { mayReach } from '../access/policy.ts';
import { noteRead } from '../audit/note-read.ts';
import { findActor } from '../sessions/acting/act-on-behalf-of.ts';
import { loadActor } from '../sessions/load-actor.ts';
import { toParties } from '../store/by-whom.ts';
import { asksHidden } from '../store/feeds/asks-hidden.ts';
import { botOf, type Feed, isSocketFeed } from '../store/feeds/read-subscription.ts';
import { findVersion } from '../store/find-history.ts';
import { findRow } from '../store/find-row.ts';
import { type Row, toResource, toWire } from '../store/row.ts';
import { keepWithinQuota, requireQuota } from '../triggers/keep-within-quota.ts';
import { buryDelivery } from './bury-delivery.ts';
import { type Delivery, keyOf } from './delivery.ts';
import { isLooping } from './is-looping.ts';
import { keepUntold } from './keep-untold.ts';
import { meetsExpression } from './meets-expression.ts';
import { noteCut } from './note-cut.ts';
import { noteFailure } from './note-failure.ts';
import { readActive } from './read-active.ts';
import { runToldBot } from './run-told-bot.ts';
import { seenNow } from './seen-now.ts';

const LIMIT_MS = 10_000;
/** Of bots that write what runs the next: so many, one after the other. */
const MOST_DEPTH = 5;
/** As whoever has no rights any more is refused. */
const GONE = new Set(['unauthorized', 'forbidden', 'not-found']);

const UNJUDGED = 'Its fhir-path-criteria-expression could not be judged of this change, so that it was not told';
const TOO_SLOW = 'Its fhir-path-criteria-expression could not be judged three times in a row: it takes too long';

/**
 * One attempt (from 1) to tell a subscription of one change, as its author may read it at this moment. Throws what went wrong when it is to be
 * tried again; after the last attempt the subscription says it. What has nothing to tell any more is done.
 */
export async function deliver(delivery: Delivery, attempt: number, signal: AbortSignal): Promise<void> {
  const { projectId, subscriptionId, op } = delivery;
  const row = await findRow(projectId, 'Subscription', subscriptionId);
  const keep = (why: string) => keepUntold(delivery, row, { why, attempt });
  if (!row || row.deleted) return keep('was deleted before the turn of this came');
  const feed = readActive(row);
  if (!feed || feed.end <= Date.now()) return keep('is not active: it was off when the turn of this came');
  if (isSocketFeed(feed)) return keep('tells by websocket now');
  // Before anything else is asked of what waits for the next hour anyway.
  if (botOf(feed)) await requireQuota(projectId, attempt);
  if (!feed.ops.includes(op)) return keep(`does not wait for this any more: ${op}`);
  const author = await findAuthor(projectId, row);
  if (!author) return keep('has no author any more who may tell of this');
  // Who replays a dead letter hears of it, or has it again. Of all others the author may not know, or they are not waited for: nothing was to be told.
  const pass = async (why: string) => (delivery.replay === undefined ? undefined : keep(why));
  const told = await readTold(delivery, row, author);
  if (!told) return pass('may not tell of this any more');
  const meets = await meetsExpression(delivery, { ...told, feed });
  if (meets === undefined || meets === 'too slow') {
    const text = meets ? TOO_SLOW : UNJUDGED;
    await noteFailure(row, { text, of: delivery, stops: meets !== undefined });
    return buryDelivery(delivery, feed.endpoint, { message: text, attempts: attempt - 1 });
  }
  if (!meets) return pass('does not wait for this: its fhir-path-criteria-expression is not true of it');
  // One that waits for the next hour is not told of yet.
  if (botOf(feed)) await keepWithinQuota(projectId, attempt);
  const ctx: Ctx = { requestId: `subscription-${row.id}`, remoteAddress: '', userAgent: '', actor: told.actor };
  // Of a deletion an address gets nothing, and a bot what was there.
  if (op !== 'delete' || botOf(feed)) noteRead(ctx, delivery.type, delivery.id);
  const isTooDeep = Number(delivery.depth) >= MOST_DEPTH;
  if (isTooDeep || (attempt === 1 && isLooping(delivery, told.row.lastUpdated))) {
    const text = isTooDeep
      ? `A loop: it would be told of what ${MOST_DEPTH} runs, one after the other, have brought about`
      : 'A loop: it was told more often of one record within five minutes than anybody changes it';
    await noteCut(delivery, { ...told, feed, text });
    await buryDelivery(delivery, feed.endpoint, { message: text, attempts: attempt - 1 });
    return noteFailure(row, { text, of: delivery, stops: true });
  }
  if (botOf(feed)) {
    const failure = await runToldBot(delivery, { ...told, feed }, attempt, signal);
    if (failure !== undefined)
      await noteFailure(row, { text: `${feed.endpoint}: ${failure}`, of: delivery, stops: false });
    return;
  }
  try {
    await send(feed, delivery, told.row, signal);
  } catch (error) {
    // Who stops knows nothing of the other side: another process goes on with it.
    if (attempt < feed.attempts || signal.aborted) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    await noteFailure(row, { text: `Could not be delivered: ${reason}`, of: delivery, stops: false });
  }
}

type Told = { actor: Actor; row: Row };

/** One whose author has gone tells nothing any more, and says it; one of a closed project stays as it is. */
async function findAuthor(projectId: string, subscription: Row): Promise<Actor | undefined> {
  const { author } = subscription;
  const actor = author === null ? undefined : await actorOf(projectId, author).catch(ended);
  if (actor || (await isClosed(projectId))) return actor;
  const text =
    'Who wrote it last is no active member of the project any more, or a client that is limited to some records by now';
  await noteFailure(subscription, { text, stops: true });
  return undefined;
}

/** Who acted for another one has to be one who may, and a client one of whole rights, as they had to be then. */
async function actorOf(projectId: string, author: string): Promise<Actor | undefined> {
  const { by, forWhom } = toParties(author);
  const caller = await findActor(projectId, by, 'openid');
  if (!caller || (await isLimited(caller))) return undefined;
  if (forWhom === undefined) return caller;
  const actor = await findActor(projectId, forWhom, 'openid');
  return actor && caller.admin ? { ...actor, caller } : undefined;
}

/** A client whose tokens say by now what they reach: what tells without one has no such limit. */
async function isLimited({ projectId, membershipId, user }: Actor): Promise<boolean> {
  const [type, clientId] = user.split('/');
  if (type !== 'ClientApplication') return false;
  const { value } = await loadActor({ projectId, membershipId, clientId, scope: 'openid' });
  return value.client?.scopes !== undefined;
}

/** The version, as the author may see it; undefined where they may not, or it is gone. */
async function readTold(delivery: Delivery, subscription: Row, actor: Actor): Promise<Told | undefined> {
  const { projectId, type, id, version, op } = delivery;
  if (asksHidden(actor, subscription)) return undefined;
  // A deletion has nothing to be judged by.
  const row = await findVersion(projectId, type, id, Number(version) - (op === 'delete' ? 1 : 0));
  if (!row || row.op === 'delete' || !mayReach(actor, type, 'read')) return undefined;
  const seen = await seenNow(actor, row);
  return seen && { actor, row: seen };
}

/** Nothing of a closed project is told, and nothing in it changes: when it opens again its subscriptions are as they were. */
async function isClosed(projectId: string): Promise<boolean> {
  const project = await findRow(projectId, 'Project', projectId);
  return (
    !project || project.deleted || toResource<{ resourceType: 'Project'; active?: boolean }>(project).active === false
  );
}

function ended(error: unknown): undefined {
  if (error instanceof AppError && GONE.has(error.code)) return undefined;
  throw error;
}

async function send(feed: Feed, delivery: Delivery, row: Row, signal: AbortSignal): Promise<void> {
  const { subscriptionId, op } = delivery;
  const body = op === 'delete' ? '{}' : toWire(feed.hasPayload ? row : { ...row, meta: null, content: null }, false);
  const headers = {
    ...feed.headers,
    'idempotency-key': keyOf(delivery),
    'content-type': 'application/fhir+json',
    'x-medplum-subscription': subscriptionId,
    'x-medplum-interaction': op,
    ...(op === 'delete' && { 'x-medplum-deleted-resource': `${row.type}/${row.id}` }),
    // Hex alone, as the peer's receivers compare it.
    ...(feed.secret !== undefined && { 'x-signature': createHmac('sha256', feed.secret).update(body).digest('hex') }),
  };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
  const { status } = await fetchOutside(feed.endpoint, { method: 'POST', accept: '*/*', headers, body, signal: limit });
  if (status < 200 || status > 299) throw new Error(`it answered ${status}`);
}
