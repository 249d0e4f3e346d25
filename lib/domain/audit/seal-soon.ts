import { setTimeout as pause } from 'node:timers/promises';
import { log } from '#lib/base/log.ts';
import { pace } from '#lib/base/pace.ts';
import { projectsIn } from '#lib/infra/db/sweep.ts';
import { sealRows, sealUnsealed } from './seal-rows.ts';

const FLUSH_MS = 1000;
const BATCH = 500;
/** Rows of which it is asked at once whether they are sealed. */
const LOOKED_AT = 10_000;
/** Projects at once: what they need of the database others wait for. */
const AT_ONCE = 2;
/** Past so many that wait, the hourly look finds the others. */
const MOST_WAITING = 100_000;
/** A row that is so old, and not sealed, is nobody's any more: the process that wrote it is gone. */
const LOST_MS = 5 * 60_000;
/** A little before that it may have been taken for lost. */
const DOUBTED_MS = LOST_MS / 2;

/** By project, what this process wrote and nobody sealed yet; since when the oldest waits. */
type Waiting = { ids: string[]; since: number };

let isOn = false;
let count = 0;
let waiting = new Map<string, Waiting>();
let timer: NodeJS.Timeout | undefined;
let flushing: Promise<void> = Promise.resolve();

/** From here on what this process writes to the log is sealed a second later. Resolves the end of it. */
export function startSealing(): () => Promise<void> {
  isOn = true;
  return async () => {
    await flushSeals();
    isOn = false;
  };
}

/** A row that is in the log now. Costs its writer nothing but this: its chain is made beside, by its id. */
export function sealSoon(projectId: string, id: string): void {
  if (!isOn || count >= MOST_WAITING) return;
  count += 1;
  const known = waiting.get(projectId);
  if (known) known.ids.push(id);
  else waiting.set(projectId, { ids: [id], since: Date.now() });
  timer ??= setTimeout(flushSeals, FLUSH_MS).unref();
}

/** Resolves when everything that was written before is sealed, or waits for a database that is away. */
export function flushSeals(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  flushing = flushing.then(flush);
  return flushing;
}

async function flush(): Promise<void> {
  const due = [...waiting];
  waiting = new Map();
  count = 0;
  const next = async () => {
    for (let item = due.pop(); item; item = due.pop()) await sealWaiting(...item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

async function sealWaiting(projectId: string, { ids, since }: Waiting): Promise<void> {
  for (let at = 0; at < ids.length; at += BATCH) {
    try {
      const doubted = Date.now() - since > DOUBTED_MS;
      await sealRows(projectId, ids.slice(at, at + BATCH), { doubted });
    } catch (err) {
      log.warn({ err, projectId }, 'rows of the audit log wait to be sealed');
      return waitAgain(projectId, ids.slice(at));
    }
  }
}

/** Whether the last try was done is not known: as if they had waited long. */
function waitAgain(projectId: string, ids: string[]): void {
  for (const id of ids) sealSoon(projectId, id);
  const known = waiting.get(projectId);
  if (known) known.since = 0;
}

/** What was written by processes that are gone, or before there was a chain, oldest first. Once an hour, by one process. */
export async function sealLost(stopped?: AbortSignal, lostMs = LOST_MS): Promise<void> {
  for await (const projectId of projectsIn('audit_event', stopped)) {
    const until = new Date(Date.now() - lostMs).toISOString();
    let after = await sealUnsealed(projectId, { until, most: LOOKED_AT });
    while (after && !stopped?.aborted) {
      await pause(pace.sweepPauseMs);
      after = await sealUnsealed(projectId, { after, until, most: LOOKED_AT });
    }
  }
}
