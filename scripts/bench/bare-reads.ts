import type { ChildProcess } from 'node:child_process';
import { findFreePort } from '#lib/infra/net/free-port.ts';
import { ask, start } from './child.ts';
import type { Job, Measured, Recorded, Scenario } from './scenario.ts';

const CONNECTIONS = 32;
/** Until it is as fast as it gets. */
const WARM_UP_SECONDS = 10;
const SECONDS = 3;
/**
 * Of the machine on which the targets are owed whole (two cores of an EPYC in a Firecracker VM). Nobody noted on which they were set: a slower one owes as much of
 * them as it is as fast, and no machine is excused by a guess at that.
 */
const WHERE_OWED_WHOLE = 35_500;

/** Resolves to what measures how often a second this read can be answered by node:http and the driver alone (bare.ts): how fast the machine is at that moment. */
export async function startBareReads(url: string, load: ChildProcess, read: Scenario): Promise<() => Promise<number>> {
  const recorded = await ask<Scenario[], Recorded[]>(await start('bench/record.ts'), [read]);
  const port = await findFreePort();
  const bare = await start('bench/bare.ts', { args: [url, String(port)], saysReady: false });
  await ask<Recorded[], string>(bare, recorded);
  const measure = async (seconds: number) => {
    const job = { url: `http://localhost:${port}`, scenario: read, connections: CONNECTIONS, seconds };
    return (await ask<Job, Measured>(load, job)).perSecond;
  };
  await measure(WARM_UP_SECONDS);
  return () => measure(SECONDS);
}

/** How fast this machine is beside that on which targets are owed whole: what it owes of them, and never more. */
export function speedBy(bareReads: number): number {
  return Math.min(1, bareReads / WHERE_OWED_WHOLE);
}
