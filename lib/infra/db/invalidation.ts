import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { log } from '#lib/base/log.ts';
import { databaseAddress, forPostgres } from './address.ts';
import type { Queryable } from './client.ts';

const CHANNEL = 'gatehouse_invalidate';
const RETRY_MS = 500;

/** Grows with every invalidation seen: what was loaded under an older number may already be stale. */
let generation = 0;
let listening = false;
const droppers = new Set<(tag: string | undefined) => void>();

/** Whether a cached value may be trusted: false until the listening connection stands, and while it is down. */
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

/** At commit, to every process that listens. However many tags: a change is never refused because it concerns many sessions. */
export async function publishInvalidations(tx: Queryable, tags: Iterable<string>): Promise<void> {
  for (const payload of toPayloads([...tags])) await tx.execute(sql`select pg_notify(${CHANNEL}, ${payload})`);
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

let listener: postgres.Sql | undefined;

/** Idempotent. Listens on a connection of its own and tries again while it is lost; until it stands, `cacheIsLive` says no. */
export async function startInvalidation(): Promise<void> {
  if (listener) return;
  listener = postgres({
    ...forPostgres(databaseAddress()),
    max: 1,
    idle_timeout: null,
    max_lifetime: null,
    fetch_types: false,
    connection: { application_name: 'gatehouse-invalidation' },
    onnotify: (_channel: string, message: string) => receive(message),
    onclose: lost,
  } as unknown as postgres.Options<never>);
  await listen();
}

export async function stopInvalidation(): Promise<void> {
  const client = listener;
  listener = undefined;
  listening = false;
  await client?.end({ timeout: 1 });
}

function receive(message: string): void {
  for (const tag of message === EVERYTHING ? [undefined] : message.split(' ')) dropTag(tag);
}

async function listen(): Promise<void> {
  try {
    await listener?.unsafe(`listen ${CHANNEL}`);
    dropTag(undefined);
    listening = listener !== undefined;
  } catch (error) {
    log.warn({ err: error }, 'cache invalidation is not listening');
    setTimeout(listen, RETRY_MS).unref();
  }
}

function lost(): void {
  if (!listening) return;
  listening = false;
  dropTag(undefined);
  setTimeout(listen, RETRY_MS).unref();
}

function dropTag(tag: string | undefined): void {
  generation++;
  for (const drop of droppers) drop(tag);
}
