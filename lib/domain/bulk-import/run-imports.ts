import { log } from '#lib/base/log.ts';
import { tryLease } from '#lib/infra/db/single/leases.ts';
import { keepProgress, listProgress, readProgress } from '#lib/infra/db/upkeep.ts';
import { runImport } from './run-import.ts';
import { WORK, workNamed } from './work-of.ts';

/** Imports of as many projects at once, in one process. */
const AT_ONCE = 4;
/** After so long one makes room for another that waits, and goes on after it. */
const TURN_MS = 60_000;

type Running = { since: number; stopping: AbortController; ended: Promise<void> };

/** `look` begins what is to be gone on with and resolves without waiting for it; `idle` when nothing is under way, `stop` when all was told to stop and has. */
export type ImportCrew = { look(): Promise<void>; idle(): Promise<void>; stop(): Promise<void> };

/**
 * Goes on with imports that are unfinished, each in one process at a time: one that was killed is gone on with by the next that looks. What fails is tried
 * again at the next look.
 */
export function createImportCrew(): ImportCrew {
  const running = new Map<string, Running>();

  async function look(): Promise<void> {
    for (const { name } of await listProgress(WORK)) {
      if (running.has(name)) continue;
      if (running.size >= AT_ONCE) return makeRoom();
      const lease = await tryLease(name, 1);
      if (!lease) continue;
      const stopping = new AbortController();
      const work = run(name, stopping.signal).finally(() => {
        running.delete(name);
        lease.release();
      });
      running.set(name, { since: performance.now(), stopping, ended: work });
    }
  }

  function makeRoom(): void {
    const [oldest] = [...running.values()].sort((a, b) => a.since - b.since);
    if (oldest && performance.now() - oldest.since > TURN_MS) oldest.stopping.abort();
  }

  async function idle(): Promise<void> {
    while (running.size > 0) await Promise.all([...running.values()].map(({ ended }) => ended));
  }

  async function stop(): Promise<void> {
    for (const { stopping } of running.values()) stopping.abort();
    await idle();
  }

  return { look, idle, stop };
}

async function run(name: string, signal: AbortSignal): Promise<void> {
  try {
    await runImport(workNamed(name), signal);
    // Behind those that wait.
    if ((await readProgress(name)) !== undefined) await keepProgress(name, {});
  } catch (error) {
    log.warn({ err: error }, 'an import waits on');
  }
}
