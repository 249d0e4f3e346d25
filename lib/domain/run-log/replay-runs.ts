import { sql } from 'drizzle-orm';
import { AppError, notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { type Lease, tryLease } from '#lib/infra/db/single/leases.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import type { ReplayRunsRequest } from '#lib/protocol/bots/runs/run-requests.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import type { RunningJob } from '../runs/bot-request.ts';
import type { JobEnd } from '../runs/job-output.ts';
import type { Bridge } from '../runs/run-loaded-bot.ts';
import { asTheyStand } from '../sessions/author-of.ts';
import { findInputs } from './find-inputs.ts';
import { findRuns, type RunFilter } from './find-runs.ts';
import { replayRun } from './replay-run.ts';
import { RUN_COLUMNS, type RunRow } from './run-rows.ts';

/** Pages that are looked at for runs of this kind. */
const MOST_PAGES = 20;
const PAGE = 500;

/** `isWhole`: false where there are older ones at which nobody has looked. */
type Chosen = { runs: RunRow[]; skipped: number; isWhole: boolean };

type Sum = { replayed: number; ok: number; failed: number; refused: number; skipped: number };

/**
 * Runs of a kind, the newest of them, or these, once more: in the order in which they ran, one after the other, as one job. What was given to several (attempts
 * at an event, and replays) is run once; what has gone well since, or been run again on the same version, not at all: whoever asks again, after a stop as
 * well, repeats nothing. One such job of a project at a time: throws 409.
 */
export async function replayRuns(
  ctx: Ctx,
  projectId: string,
  { filter, runs: named, version, limit }: ReplayRunsRequest,
  { bridge, job }: { bridge: Bridge; job: RunningJob },
): Promise<JobEnd> {
  const lease = await tryLease(`replay-runs:${projectId}`, 1);
  if (!lease) throw new AppError('conflict', 'Runs of this project are being replayed: wait for the end of that job');
  try {
    await job.begin();
    const { runs, skipped, isWhole } = named
      ? await chooseOf(projectId, named, version)
      : await choose(projectId, filter!, { version, limit });
    const sum: Sum = { replayed: 0, ok: 0, failed: 0, refused: 0, skipped };
    for (const run of runs) {
      if (job.signal.aborted) throw new AppError('conflict', 'This job was cancelled');
      const now = await requireStill(ctx, projectId, lease);
      await replayOne(sum, () =>
        replayRun(now, projectId, run.id, { version, job: { signal: job.signal, begin: async () => {} } }, bridge),
      );
    }
    const output = Object.entries(sum).map(([name, value]) => ({ name, valueInteger: value }));
    return { ok: true, output: isWhole ? output : [...output, { name: 'unseen', valueBoolean: true }] };
  } finally {
    lease.release();
  }
}

/** For administrators; asked before the job is. */
export function requireReplayer(ctx: Ctx, projectId: string): void {
  const actor = requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId) || actor.projectId !== projectId) throw notFound();
}

/** It may take hours: who asked for it is an administrator to the end, with the rights that they have then, and no other such job has begun. */
async function requireStill(ctx: Ctx, projectId: string, lease: Lease): Promise<Ctx> {
  if (!lease.isHeld())
    throw new AppError('conflict', 'The database was away for a moment: ask once more for the runs that are left');
  const now = await asTheyStand(ctx);
  requireProjectAdmin(now, projectId);
  return now;
}

async function replayOne(sum: Sum, run: () => ReturnType<typeof replayRun>): Promise<void> {
  try {
    const { status } = await run();
    sum.replayed += 1;
    sum[status === 'ok' ? 'ok' : 'failed'] += 1;
  } catch (error) {
    // Its input is not there, or its bot is gone: the others are not to wait for it.
    if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
    sum.refused += 1;
  }
}

/** The newest of the kind, in the order in which they ran. */
async function choose(
  projectId: string,
  filter: RunFilter,
  { version, limit }: Pick<ReplayRunsRequest, 'version' | 'limit'>,
): Promise<Chosen> {
  const runs: RunRow[] = [];
  const chosen = new Set<string>();
  let skipped = 0;
  let cursor: RunFilter['cursor'];
  let isLast = false;
  for (let page = 0; page < MOST_PAGES && runs.length < limit; page++) {
    const found = await findRuns(db(), projectId, { ...filter, cursor }, PAGE);
    const fresh = await leaveOut(projectId, found.rows, { version, chosen });
    skipped += found.rows.length - fresh.length;
    runs.push(...fresh.slice(0, limit - runs.length));
    isLast = !found.last;
    if (!found.last) break;
    cursor = found.last;
  }
  return { runs: runs.reverse(), skipped, isWhole: isLast || runs.length >= limit };
}

/** Of these, in the order in which they ran; those that are not there are left out. */
async function chooseOf(
  projectId: string,
  ids: readonly string[],
  version: ReplayRunsRequest['version'],
): Promise<Chosen> {
  const rows = await db().execute<RunRow>(sql`
    select ${RUN_COLUMNS} from bot_run where project_id = ${projectId}::uuid and id = any(${toTextArray([...ids])}::uuid[])
    order by started_at, id`);
  const runs = await leaveOut(projectId, rows, { version, chosen: new Set() });
  return { runs, skipped: rows.length - runs.length, isWhole: true };
}

/** Those of which the input is not run again yet, one of each; it is noted as chosen. */
async function leaveOut(
  projectId: string,
  rows: readonly RunRow[],
  { version, chosen }: { version: ReplayRunsRequest['version']; chosen: Set<string> },
): Promise<RunRow[]> {
  const inputs = await findInputs(projectId, rows, version);
  return rows.filter(({ id }) => {
    const { input, isDone } = inputs.get(id) ?? { input: id, isDone: false };
    if (isDone || chosen.has(input)) return false;
    chosen.add(input);
    return true;
  });
}
