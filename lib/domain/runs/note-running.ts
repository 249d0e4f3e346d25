import { newId } from '#lib/base/ids.ts';
import { log } from '#lib/base/log.ts';
import { runWrite } from '#lib/infra/db/client.ts';

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

/** What ends before is on record before anybody has looked. */
const AFTER_MS = 1000;
/** For what is done before and after the bot's own time. */
const GRACE_MS = 60_000;

/** Lets others see, in every process, that a run goes on (list-running.ts), once it has lasted a moment. What is returned is called at its end. */
export function noteRunning(running: Running): () => void {
  const id = newId();
  const startedAt = new Date();
  const { projectId } = running;
  let noted: Promise<void> | undefined;
  const begin = setTimeout(() => {
    const { botId, version, trigger, requester, requestId, timeoutMs } = running;
    const endsBy = new Date(startedAt.getTime() + timeoutMs + GRACE_MS);
    const facts = [botId, version, trigger, requester, requestId, startedAt.toISOString(), endsBy.toISOString()];
    noted = tell(INSERT, [projectId, id, ...facts]);
  }, AFTER_MS).unref();
  return () => {
    clearTimeout(begin);
    void noted?.then(() => tell(DELETE, [projectId, id]));
  };
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
const DELETE = 'delete from bot_running where project_id = $1::uuid and id = $2::uuid';
