import type postgres from 'postgres';
import { atHome } from '../cluster/at-home.ts';
import { sentUntilOwn } from '../pool/of-another.ts';
import { keepSingle } from './single.ts';

export type HandedOver = {
  /** It is PostgreSQL's now: done, even if this process ends here. */
  sent: Promise<void>;
  /** It is committed; whether the disk has it is the statement's own affair. */
  done: Promise<void>;
};

/** What the kernel takes without waiting for PostgreSQL to read. */
const AT_ONCE = 64 * 1024;

const listeners = new Set<() => void>();
const connection = keepSingle('records', lose);
/** The connection on which a statement was done: what is written to it arrives. */
let proven: postgres.Sql | undefined;
let underWay = 0;

/**
 * A statement for which the caller need not wait until the disk has it. On a connection that has one at a time, and nothing else: PostgreSQL
 * does what it has begun whatever becomes of us, but none that waits behind it, and in a pool it would wait for its turn in this process.
 */
export function handOver(text: string, params: unknown[]): HandedOver {
  const isSmall = params.every((param) => String(param).length < AT_ONCE);
  const isTaken = proven !== undefined && proven === connection.current() && underWay === 0 && isSmall;
  const sending = atHome({ text, params, answers: false }) ?? { text, params };
  const done = run(sending.text, sending.params);
  return { sent: isTaken ? written() : done.catch(() => undefined), done };
}

/** Calls `lost` when a connection ends: PostgreSQL may have fallen, and have forgotten what its disk did not have yet. */
export function onHandOverLost(lost: () => void): void {
  listeners.add(lost);
}

export function closeHandOver(): Promise<void> {
  return connection.close();
}

async function run(text: string, params: unknown[]): Promise<void> {
  const asked = connection.open();
  underWay += 1;
  try {
    await sentUntilOwn(() => asked.unsafe(text, params as never[], { prepare: true }), params);
    proven = asked;
  } finally {
    underWay -= 1;
  }
}

/** The driver gathers what is small, and gives it to the kernel before the next turn of the event loop ends. */
async function written(): Promise<void> {
  await new Promise(setImmediate);
  await new Promise(setImmediate);
}

function lose(): void {
  proven = undefined;
  for (const tell of listeners) tell();
}
