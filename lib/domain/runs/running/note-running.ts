import { newId } from '#lib/base/ids.ts';
import { log } from '#lib/base/log.ts';
import { pace } from '#lib/base/pace.ts';
import { db, runText, runWrite } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';

export type Running = {
  projectId: string;
  botId: string;
  version: number;
  trigger: string;
  /** "Type/id". */
  requester: string;
  requestId: string;
  timeoutMs: number;
};

type Noted = { projectId: string; stop: () => void; endsBy: number };

/** What ends before is on record before anybody has looked. */
const AFTER_MS = 1000;
/** For what is done before and after the bot's own time. */
const GRACE_MS = 60_000;

/** Runs of this process that others see, and what ends each. */
const noted = new Map<string, Noted>();
let looking: NodeJS.Timeout | undefined;

/**
 * Lets others see, in every process, that a run goes on (list-running.ts), once it has lasted a moment; `stop` is called when an administrator ends it
 * (stop-running.ts). What is returned is called at its end.
 */
export function noteRunning(running: Running, stop: () => void): () => void {
  const id = newId();
  const startedAt = new Date();
  const { projectId } = running;
  let told: Promise<void> | undefined;
  const begin = setTimeout(() => {
    const { botId, version, trigger, requester, requestId, timeoutMs } = running;
    const endsBy = startedAt.getTime() + timeoutMs + GRACE_MS;
    const times = [startedAt, new Date(endsBy)].map((at) => at.toISOString());
    const facts = [botId, version, trigger, requester, requestId, ...times];
    told = tell(INSERT, [projectId, id, ...facts]);
    noted.set(id, { projectId, stop, endsBy });
    looking ??= setInterval(() => void look(), pace.stoppedRunsMs).unref();
  }, AFTER_MS).unref();
  return () => {
    clearTimeout(begin);
    void told?.then(() => tell(DELETE, [projectId, id]));
    noted.delete(id);
    if (noted.size > 0) return;
    clearInterval(looking);
    looking = undefined;
  };
}

/** Ends a run of this process, if it is one. */
export function stopNoted(id: string): void {
  noted.get(id)?.stop();
}

/** Project by project: one whose node is away keeps no other waiting. */
async function look(): Promise<void> {
  for (const [projectId, runs] of Map.groupBy(noted, ([, run]) => run.projectId)) {
    try {
      await renew(projectId, runs);
      const ids = toTextArray(runs.map(([id]) => id));
      for (const { id } of await runText<{ id: string }>(db(), STOPPED, [projectId, ids])) stopNoted(id);
    } catch (err) {
      log.warn({ err }, 'it could not be asked which runs are to end');
    }
  }
}

/** It may have waited for a process, or be repeated: it is shown for as long as it goes on. */
async function renew(projectId: string, runs: [id: string, run: Noted][]): Promise<void> {
  const ending = runs.filter(([, { endsBy }]) => endsBy - Date.now() < GRACE_MS / 2);
  if (ending.length === 0) return;
  const endsBy = Date.now() + GRACE_MS;
  await runWrite(RENEW, [projectId, toTextArray(ending.map(([id]) => id)), new Date(endsBy).toISOString()]);
  for (const [, run] of ending) run.endsBy = endsBy;
}

/** Whoever looks sees less: the run goes on. */
async function tell(text: string, params: unknown[]): Promise<void> {
  try {
    await runWrite(text, params);
  } catch (err) {
    log.warn({ err }, 'what runs could not be noted');
  }
}

const INSERT = `
  insert into bot_running (project_id, id, bot_id, version, trigger, requester, request_id, started_at, ends_by)
  values ($1::uuid, $2::uuid, $3::uuid, $4::int, $5, $6, $7, $8::timestamptz, $9::timestamptz)`;
const RENEW = 'update bot_running set ends_by = $3::timestamptz where project_id = $1::uuid and id = any($2::uuid[])';
const DELETE = 'delete from bot_running where project_id = $1::uuid and id = $2::uuid';
const STOPPED = `
  select id from bot_running where project_id = $1::uuid and id = any($2::uuid[]) and stopped_by is not null`;
