import type { ChildProcess } from 'node:child_process';
import { findFreePort } from '#lib/infra/net/free-port.ts';
import { ask, start } from './child.ts';
import type { Job, Measured, Recorded, Scenario } from './scenario.ts';

const CONNECTIONS = 32;
/** Until it is as fast as it gets. */
const WARM_UP_SECONDS = 10;
const SECONDS = 3;
/**
 * Bare reads a second of the machine on which targets were set, by the code of that day (caa373dd): it echoed 2,161 times a second there, and 1,684 times
 * on one that reads 35,500.
 */
const WHERE_SET = 45_500;

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

/** How fast this machine is beside that on which targets were set: what it owes of them, and never more. */
export function speedBy(bareReads: number): number {
  return Math.min(1, bareReads / WHERE_SET);
}
