import postgres from 'postgres';
import { databaseAddress, forPostgres } from './address.ts';
import { sentUntilOwn } from './of-another.ts';

export type HandedOver = {
  /** It is PostgreSQL's now: done, even if this process ends here. */
  sent: Promise<void>;
  /** It is committed; whether the disk has it is the statement's own affair. */
  done: Promise<void>;
};

const RETRY_SECONDS = 0.5;
/** What the kernel takes without waiting for PostgreSQL to read. */
const AT_ONCE = 64 * 1024;

const listeners = new Set<() => void>();
let client: postgres.Sql | undefined;
/** Since a statement was done on it: what is written to it arrives. */
let isOpen = false;
let underWay = 0;

/**
 * A statement for which the caller need not wait until the disk has it. On a connection that has one at a time, and nothing else: PostgreSQL
 * does what it has begun whatever becomes of us, but none that waits behind it, and in a pool it would wait for its turn in this process.
 */
export function handOver(text: string, params: unknown[]): HandedOver {
  const isSmall = params.every((param) => String(param).length < AT_ONCE);
  const isTaken = isOpen && underWay === 0 && isSmall;
  const done = run(text, params);
  return { sent: isTaken ? written() : done.catch(() => undefined), done };
}

/** Calls `lost` when a connection ends: PostgreSQL may have fallen, and have forgotten what its disk did not have yet. */
export function onHandOverLost(lost: () => void): void {
  listeners.add(lost);
}

export async function closeHandOver(): Promise<void> {
  const closing = client;
  client = undefined;
  isOpen = false;
  await closing?.end({ timeout: 1 });
}

async function run(text: string, params: unknown[]): Promise<void> {
  const asked = open();
  underWay += 1;
  try {
    await sentUntilOwn(() => asked.unsafe(text, params as never[], { prepare: true }), params);
    isOpen = client === asked;
  } finally {
    underWay -= 1;
  }
}

/** The driver gathers what is small, and gives it to the kernel before the next turn of the event loop ends. */
async function written(): Promise<void> {
  await new Promise(setImmediate);
  await new Promise(setImmediate);
}

function open(): postgres.Sql {
  if (client) return client;
  const opened = postgres({
    ...forPostgres(databaseAddress()),
    max: 1,
    idle_timeout: null,
    max_lifetime: null,
    fetch_types: false,
    backoff: () => RETRY_SECONDS,
    connection: { TimeZone: 'UTC', application_name: 'gatehouse-records' },
    onclose() {
      if (client !== opened) return;
      isOpen = false;
      for (const tell of listeners) tell();
    },
  } as unknown as postgres.Options<never>);
  client = opened;
  return opened;
}
