import type { PgBoss } from 'pg-boss';
import { log } from '#lib/base/log.ts';
import { type Fetched, fetchJobs } from './fetch-jobs.ts';
import { hearQueue } from './hear-queue.ts';
import { type JobName, jobs } from './jobs.ts';
import { type IsHeld, lead } from './lead.ts';
import { SPARE_BATCH, toBegin, toFetch, toHold, toResume } from './places.ts';
import { Later, putBack, putOff } from './put-off.ts';

/** What waits for its time, and what a lost notice was about. */
const POLL_MS = 500;
/** The heartbeat of a job is ten seconds. */
const BEAT_MS = 3000;
/** Settled at once when so many are done, or after this time: a statement for every few of them would cost more than the jobs. */
const SETTLED_TOGETHER = 32;
const SETTLE_AFTER_MS = 20;
/** So long what runs may go on once this stops, as long as nobody else may begin it. */
const STOP_MS = 4000;
const LOOK_MS = 100;

type Run<T> = (data: T, attempt: number, signal: AbortSignal) => Promise<void>;
type Held<T> = { job: Fetched<T>; key: string; group: string; state: 'waiting' | 'running' | 'done' };

/**
 * Takes deliveries off the queue, in one process for all, so that those with one `keyOf` come one after the other. One that throws is tried
 * again; one that throws `Later`, at its time, and that is no attempt. Resolves to what ends it here: what waits goes back at once, what runs has a
 * moment to end, and then another process goes on. Where that one may have begun, since the lease was lost, what runs is cut at once.
 */
export function startDeliveryWorker<T extends object>(
  name: JobName,
  keyOf: (data: T) => string,
  run: Run<T>,
): Promise<() => Promise<void>> {
  return lead(name, async () => begin(await jobs(), name, keyOf, run));
}

/** They are fetched and settled some at a time: one statement for each of many jobs is what bounded how many there were in a second. */
async function begin<T extends object>(boss: PgBoss, name: JobName, keyOf: (data: T) => string, run: Run<T>) {
  const stopping = new AbortController();
  const cutting = new AbortController();
  const held = new Map<string, Held<T>>();
  /** Keys of which more waits than is taken: those of others go before. */
  const left = new Set<string>();
  const underWay = new Set<Promise<void>>();
  let done: string[] = [];
  let settling: Promise<void> | undefined;
  let settlingSoon: NodeJS.Timeout | undefined;
  let fetching: Promise<void> | undefined;
  let isAsked = false;

  const warn = (err: unknown) => log.warn({ err, queue: name }, 'the queue of deliveries');
  // It may fail, and nothing is begun then.
  const deafen = await hearQueue(name, fetchSoon);
  const poll = setInterval(fetchSoon, POLL_MS).unref();
  const beat = setInterval(() => {
    if (held.size > 0) boss.touch(name, [...held.keys()]).catch(warn);
    settle();
  }, BEAT_MS).unref();
  fetchSoon();
  return async (isHeld: IsHeld) => {
    clearInterval(poll);
    stopping.abort();
    const uncut = cutLater(cutting, isHeld);
    await deafen().catch(warn);
    await fetching;
    const waiting = [...held.values()].filter(({ state }) => state === 'waiting');
    await Promise.all([...underWay, ...waiting.map((one) => fail(one, new Later(new Date())))]);
    uncut();
    clearInterval(beat);
    await settleRest();
  };

  /** All that is done, once more where it failed: whoever goes on begins what is not settled anew. */
  async function settleRest(): Promise<void> {
    for (let tries = 0; tries < 3 && (settling || done.length > 0); tries++) {
      settle();
      await settling;
    }
    clearTimeout(settlingSoon);
  }

  function fetchSoon(): void {
    isAsked = true;
    fetching ??= fetchAll()
      .catch(warn)
      .finally(() => {
        fetching = undefined;
      });
  }

  async function fetchAll(): Promise<void> {
    for (let [goesOn, isTurn] = [true, true]; goesOn && !stopping.signal.aborted; isTurn = !isTurn) {
      isAsked = false;
      // Of one of them a little, and then of all others as much as there is room for.
      const resumed = isTurn ? toResume(held.values(), left) : undefined;
      const { batchSize: most, ignoreGroups } = toFetch(held.values());
      if (most === 0) return;
      const batchSize = resumed === undefined ? most : Math.min(SPARE_BATCH, most);
      const ignoreKeys = [...left].filter((key) => key !== resumed);
      const found = await fetchJobs<T>(boss, name, { batchSize, ignoreGroups, ignoreKeys });
      // Then nothing of it waits any more.
      if (resumed !== undefined && found.length < batchSize) left.delete(resumed);
      await hold(inOrder(found));
      advance();
      goesOn = found.length === batchSize || isAsked || toResume(held.values(), left) !== undefined;
    }
  }

  async function hold(found: Fetched<T>[]): Promise<void> {
    // One that is here was thought to be lost while the database was away: who has it settles it.
    const all = found
      .filter(({ id }) => !held.has(id))
      .map((job) => ({ job, key: keyOf(job.data), group: job.groupId ?? '', state: 'waiting' as const }));
    const { kept, surplus } = toHold(held.values(), all);
    // One of an earlier release is not known to the queue by its key.
    const back = surplus.filter(({ job, key }) => job.singletonKey === key);
    const isBack = await putBackAll(back.map(({ job }) => job.id));
    const goes = new Set<Held<T>>(isBack ? back : []);
    for (const { key } of goes) left.add(key);
    for (const one of [...kept, ...surplus]) if (!goes.has(one)) held.set(one.job.id, one);
  }

  async function putBackAll(ids: string[]): Promise<boolean> {
    if (ids.length === 0) return true;
    return putBack(name, ids).then(
      () => true,
      (error: unknown) => {
        warn(error);
        return false;
      },
    );
  }

  function advance(): void {
    if (!stopping.signal.aborted) for (const one of toBegin(held.values())) start(one);
  }

  function start(one: Held<T>): void {
    one.state = 'running';
    const { data, retryCount, id } = one.job;
    const work = run(data, retryCount + 1, cutting.signal)
      .then(() => {
        one.state = 'done';
        done.push(id);
        settleSoon();
      })
      .catch((error: unknown) => fail(one, error))
      .finally(() => {
        underWay.delete(work);
        one.state = 'done';
        advance();
      });
    underWay.add(work);
  }

  /** What is not settled keeps its place, so that it is not begun again. */
  async function fail({ job }: Held<T>, error: unknown): Promise<void> {
    try {
      if (error instanceof Later) await putOff(name, job.id, error.until);
      else await boss.fail(name, job.id, { message: error instanceof Error ? error.message : String(error) });
    } catch (err) {
      warn(err);
    }
    // Its heartbeat ends, at the latest.
    held.delete(job.id);
    fetchSoon();
  }

  /**
   * At once where nothing else is under way, and of what comes in order: there the next of a key waits in the queue for that. Whose process is killed
   * before is looked for by who tries it again.
   */
  function settleSoon(): void {
    const isIdle = [...held.values()].every(({ state }) => state === 'done');
    if (isIdle || name === 'ordered' || done.length >= SETTLED_TOGETHER) settle();
    else settlingSoon ??= setTimeout(settle, SETTLE_AFTER_MS);
  }

  function settle(): void {
    clearTimeout(settlingSoon);
    settlingSoon = undefined;
    if (settling || done.length === 0) return;
    const ids = done;
    done = [];
    settling = boss
      .complete(name, ids)
      .then(
        () => {
          for (const id of ids) held.delete(id);
          advance();
          if (!stopping.signal.aborted) fetchSoon();
        },
        (error: unknown) => {
          warn(error);
          done.push(...ids);
        },
      )
      .finally(() => {
        settling = undefined;
        // What came meanwhile; after a failure, with the next beat.
        if (done.length > 0 && !ids.some((id) => held.has(id))) settleSoon();
      });
  }
}

/** When its time is over, or another may take the place. Returns what keeps it from that. */
function cutLater(cutting: AbortController, isHeld: IsHeld): () => void {
  const until = performance.now() + STOP_MS;
  const look = () => {
    if (performance.now() >= until || !isHeld()) cutting.abort(new Error('The server stops'));
  };
  look();
  const looking = setInterval(look, LOOK_MS);
  return () => clearInterval(looking);
}

/** As they were queued: what an UPDATE returns has no order. */
function inOrder<T>(found: Fetched<T>[]): Fetched<T>[] {
  return found.toSorted((a, b) => b.priority - a.priority || a.createdOn.getTime() - b.createdOn.getTime());
}
