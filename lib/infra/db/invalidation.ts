import { sql } from 'drizzle-orm';
import type { Queryable } from './client.ts';
import { EARS, listenProven, type ProvenListener, toTexts } from './proven-listener.ts';

const CHANNEL = 'gatehouse_invalidate';
/** On the same line, so that what a change makes stale is dropped before what came after it is told. */
const TOLD = 'gatehouse_told';

/** Grows with every invalidation seen: what was loaded under an older number may already be stale. */
let generation = 0;
let listening = false;
const droppers = new Set<(tag: string | undefined) => void>();

/** Whether a cached value may be trusted: false until invalidations are proven to arrive, and while they are not. */
export function cacheIsLive(): boolean {
  return listening;
}

export function cacheGeneration(): number {
  return generation;
}

/** `drop(undefined)` means everything: messages may have been missed. */
export function onInvalidate(drop: (tag: string | undefined) => void): void {
  droppers.add(drop);
}

/** A payload of NOTIFY is shorter than 8,000 bytes; ours are ASCII. */
const PAYLOAD_MAX = 7900;
/** Instead of very many tags. */
const EVERYTHING = '*';
const MOST_TAGS = 2000;

/**
 * At commit, to every process that listens. However many tags: a change is never refused because it concerns many sessions. What is returned
 * is to be called after the commit, and resolves when every process has dropped what it had, so that whoever has our answer finds it true
 * wherever they ask next; at the latest after `pace.roundLimitMs`. A process that listens without answering is not waited for.
 */
export async function publishInvalidations(tx: Queryable, tags: Iterable<string>): Promise<() => Promise<void>> {
  const notices = toPayloads([...tags]).map((payload) => ({ channel: CHANNEL, payload }));
  if (notices.length === 0) return async () => undefined;
  const round = listener?.round();
  const [channels, payloads] = toTexts(round ? [...notices, round.notice] : notices);
  const [row] = await tx.execute<{ ears: number }>(sql`
    select pg_notify(channel, payload), ${sql.raw(EARS)} as ears
    from unnest(${channels}::text[], ${payloads}::text[]) as n(channel, payload)`);
  return async () => round?.answered(row?.ears ?? 0);
}

type Hearer = {
  told(message: string): void;
  /** Something may have been said that was not heard. */
  missed(): void;
};

const hearers = new Set<Hearer>();

/** What any process tells all of them by `tell`, at the commit of whoever tells it. */
export function hear(hearer: Hearer): void {
  hearers.add(hearer);
}

/** Each is shorter than 8,000 bytes, and names things: what it is about each process reads for itself. */
export async function tell(tx: Queryable, messages: readonly string[]): Promise<void> {
  if (messages.length === 0) return;
  const [channels, payloads] = toTexts(messages.map((payload) => ({ channel: TOLD, payload })));
  await tx.execute(sql`
    select pg_notify(channel, payload) from unnest(${channels}::text[], ${payloads}::text[]) as n(channel, payload)`);
}

function toPayloads(tags: string[]): string[] {
  if (tags.length > MOST_TAGS) return [EVERYTHING];
  const payloads: string[] = [];
  for (const tag of tags) {
    const longer = `${payloads.at(-1)} ${tag}`;
    if (payloads.length > 0 && longer.length <= PAYLOAD_MAX) payloads[payloads.length - 1] = longer;
    else payloads.push(tag);
  }
  return payloads;
}

/** This process does not wait for its own message. */
export function dropLocally(tags: Iterable<string>): void {
  for (const tag of tags) dropTag(tag);
}

let starting: Promise<ProvenListener> | undefined;
let listener: ProvenListener | undefined;

/** Idempotent. Until what is published is proven to arrive, and whenever it is not, `cacheIsLive` says no. */
export async function startInvalidation(): Promise<void> {
  starting ??= listenProven({ channels: { [CHANNEL]: receive, [TOLD]: passOn }, onChange: trust });
  listener = await starting.catch((error) => {
    starting = undefined;
    throw error;
  });
}

export async function stopInvalidation(): Promise<void> {
  const stopping = await starting?.catch(() => undefined);
  starting = undefined;
  listener = undefined;
  listening = false;
  await stopping?.stop();
}

function receive(message: string): void {
  for (const tag of message === EVERYTHING ? [undefined] : message.split(' ')) dropTag(tag);
}

function passOn(message: string): void {
  for (const { told } of hearers) told(message);
}

function trust(isHeard: boolean): void {
  dropTag(undefined);
  listening = isHeard;
  if (!isHeard) for (const { missed } of hearers) missed();
}

function dropTag(tag: string | undefined): void {
  generation++;
  for (const drop of droppers) drop(tag);
}
