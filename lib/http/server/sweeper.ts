import { log } from '#lib/base/log.ts';
import { endLostJobs } from '#lib/domain/runs/async-jobs.ts';
import { sweep } from '#lib/infra/db/sweep.ts';

const EVERY_MS = 3_600_000;
/** A server that has just started has better things to do. */
const FIRST_MS = 60_000;

let timers: NodeJS.Timeout[] = [];
let sweeping: Promise<void> | undefined;

/** Drops what is over, every hour. */
export function startSweeping(): void {
  timers = [setTimeout(sweepOnce, FIRST_MS).unref(), setInterval(sweepOnce, EVERY_MS).unref()];
}

export async function stopSweeping(): Promise<void> {
  for (const timer of timers) clearTimeout(timer);
  await sweeping;
}

function sweepOnce(): void {
  sweeping ??= run().finally(() => {
    sweeping = undefined;
  });
}

async function run(): Promise<void> {
  try {
    await endLostJobs();
    await sweep();
  } catch (error) {
    log.warn({ err: error }, 'what is over could not be dropped');
  }
}
