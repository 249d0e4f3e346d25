import { setTimeout as pause } from 'node:timers/promises';
import { and, eq } from 'drizzle-orm';
import { log } from '#lib/base/log.ts';
import { pace } from '#lib/base/pace.ts';
import { type RecordErasureRow, recordErasure } from '#lib/infra/db/schema/fhir/record-erasure.ts';
import { tryLease } from '#lib/infra/db/single/leases.ts';
import { dropProgress, listProgress } from '#lib/infra/db/upkeep.ts';
import type { Ctx, Write } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { takeStep } from './take-step.ts';

const WORK = 'erase-record ';

/** Under which name it is known to be unfinished (lib/infra/db/upkeep.ts). */
export function workOf({ projectId, id }: Pick<RecordErasureRow, 'projectId' | 'id'>): string {
  return `${WORK}${projectId} ${id}`;
}

/**
 * Goes on with the erasures that are unfinished, each in one process at a time: one that was killed is gone on with by the next that looks. What
 * fails is tried again at the next look.
 */
export async function runErasures(ctx: Ctx, stopped?: AbortSignal): Promise<void> {
  for (const { name } of await listProgress(WORK)) {
    if (stopped?.aborted) return;
    const lease = await tryLease(name, 1);
    if (!lease) continue;
    try {
      await runOne(ctx, name, stopped);
    } catch (error) {
      log.warn({ err: error }, 'an erasure waits on');
    } finally {
      lease.release();
    }
  }
}

async function runOne(ctx: Ctx, name: string, stopped: AbortSignal | undefined): Promise<void> {
  const [projectId = '', id = ''] = name.slice(WORK.length).split(' ');
  while (!stopped?.aborted) {
    if (!(await step(ctx, name, { projectId, id }))) return;
    await pause(pace.sweepPauseMs);
  }
}

/** One step, with the note of how far it has come: whoever dies before its commit has done nothing of it. False when nothing is left. */
function step(ctx: Ctx, name: string, { projectId, id }: { projectId: string; id: string }): Promise<boolean> {
  const run = async (w: Write) => {
    const here = and(eq(recordErasure.projectId, projectId), eq(recordErasure.id, id));
    const [row] = await w.tx.select().from(recordErasure).where(here).for('update');
    w.unchanged();
    const next = row && row.state !== 'done' ? await takeStep(w, row) : undefined;
    if (next) await w.tx.update(recordErasure).set(next).where(here);
    const isDone = next?.state !== 'running';
    if (isDone) await dropProgress(name, w.tx);
    return !isDone;
  };
  return write(ctx, run, { notes: true });
}
