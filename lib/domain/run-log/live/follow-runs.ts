import { AppError, notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { pace } from '#lib/base/pace.ts';
import type { ProjectRun } from '#lib/protocol/bots/runs/bot-runs.ts';
import type { LiveRunsQuery } from '#lib/protocol/bots/runs/run-sight.ts';
import { type Cursor, formatCursor } from '#lib/protocol/cursor.ts';
import { type Actor, type Ctx, requireProjectAdmin } from '../../access/context.ts';
import { requirePlace } from '../../bounds/within-bounds.ts';
import { actorOfLogin } from '../../sessions/actor-of-login.ts';
import { enterLive, type Place } from './live-places.ts';
import { type Batch, readRecorded, watchRuns } from './watch-runs.ts';

/** Runs that wait for who reads slowly. */
const MOST_WAITING = 4000;
/** Who comes back later begins anew. */
const MOST_AWAY_MS = 15 * 60_000;

export type LiveEvent =
  /** From here on: what is listed must be read once more. */
  { kind: 'ready' | 'missed'; id: string } | { kind: 'run'; id: string; run: ProjectRun } | { kind: 'alive' };

export type FollowInput = {
  filter: LiveRunsQuery;
  /** The last event of which the caller knows. */
  after?: Cursor;
  /** Who calls by a key or a secret, as of now. Throws what the door throws. */
  again: () => Promise<Actor>;
};

/**
 * The runs that are recorded from now on, masked as lists tell them, in the order in which they are: a run that took long comes after a short one that began later. With
 * `after` none is left out; some may be told twice. For administrators, as long as they are: from the beginning and every few seconds. Throws 403, 404 and 429.
 */
export function followRuns(
  ctx: Ctx,
  projectId: string,
  input: FollowInput,
): { events: AsyncGenerator<LiveEvent, void>; end: () => void } {
  const actor = requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  if (actor.caller) throw new AppError('forbidden', 'Runs are followed in one’s own name, on behalf of nobody');
  const place = enterLive(projectId);
  // Whoever goes before the first event, or while the next is waited for, gives its place back at once.
  return { events: follow(ctx, projectId, input, place), end: place.leave };
}

async function* follow(
  ctx: Ctx,
  projectId: string,
  { filter, after, again }: FollowInput,
  { signal, leave }: Place,
): AsyncGenerator<LiveEvent, void> {
  const waiting: Batch[] = [];
  let size = 0;
  let wake = () => {};
  const stop = watchRuns(projectId, (batch) => {
    if (batch.runs.length === 0 && !batch.missed) return;
    waiting.push(batch);
    size += batch.runs.length + 1;
    // Who does not read asks for nothing more, and would never come to hear that it was too much.
    if (size > MOST_WAITING) leave();
    else wake();
  });
  signal.addEventListener('abort', () => {
    stop();
    waiting.length = 0;
    wake();
  });
  const told = new Map<string, number>();
  let judgedAt = performance.now();
  let spokenAt = judgedAt;
  try {
    if (after && Date.now() - after.at.getTime() < MOST_AWAY_MS) {
      const batch = await readRecorded(projectId, after.at);
      yield* tell(batch);
    } else yield { kind: 'ready', id: formatCursor({ at: new Date(), id: FIRST }) };
    while (!signal.aborted) {
      if (performance.now() - judgedAt >= pace.liveJudgeMs) {
        if (!(await mayFollow())) return;
        judgedAt = performance.now();
      }
      const batch = waiting.shift();
      if (batch) {
        size -= batch.runs.length + 1;
        yield* tell(batch);
      } else if (performance.now() - spokenAt >= pace.liveBeatMs) {
        spokenAt = performance.now();
        yield { kind: 'alive' };
      } else await slept();
    }
  } finally {
    stop();
    leave();
  }

  function* tell({ runs, missed, upTo }: Batch): Generator<LiveEvent> {
    if (missed) yield { kind: 'missed', id: formatCursor({ at: upTo, id: FIRST }) };
    for (const { run, recordedAt } of runs) {
      if (told.has(run.id) || !fits(run, filter)) continue;
      told.set(run.id, recordedAt.getTime());
      spokenAt = performance.now();
      yield { kind: 'run', id: formatCursor({ at: recordedAt, id: run.id }), run };
    }
    // What may come a second time was written within the last seconds.
    for (const [id, at] of told) if (at < upTo.getTime() - 60_000) told.delete(id);
  }

  async function mayFollow(): Promise<boolean> {
    try {
      const actor = ctx.actor?.loginId
        ? await actorOfLogin({ projectId: ctx.actor.projectId, id: ctx.actor.loginId }, { quiet: true })
        : await again();
      requirePlace(actor, ctx);
      requireProjectAdmin({ ...ctx, actor }, projectId);
      return true;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  }

  function slept(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pace.liveJudgeMs).unref();
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Before all ids. */
const FIRST = '00000000-0000-0000-0000-000000000000';

function fits(run: ProjectRun, { bot, version, status, trigger, fingerprint, replayOf }: LiveRunsQuery): boolean {
  return (
    (bot === undefined || run.bot.id === bot) &&
    (version === undefined || run.version === version) &&
    (status === undefined || (status === 'failing' ? run.status !== 'ok' : run.status === status)) &&
    (trigger === undefined || run.trigger === trigger) &&
    (fingerprint === undefined || run.fingerprint === fingerprint) &&
    (replayOf === undefined || run.replayOf === replayOf)
  );
}
