import { db, runText } from '#lib/infra/db/client.ts';
import type { EventInput } from './queue-bot-event.ts';

/** What an event that waits is to be run with; undefined when it has ended, or nobody knows of it any more. */
export async function findWaiting(projectId: string, id: string): Promise<EventInput | undefined> {
  const [row] = await runText<{ input: string | null }>(
    db(),
    `select input from bot_event where project_id = $1::uuid and id = $2::uuid and state = 'waiting'`,
    [projectId, id],
  );
  return row?.input ? (JSON.parse(row.input) as EventInput) : undefined;
}

/** It went well: its key stays known for a while, and nothing of what it said. */
export async function endEvent(projectId: string, id: string): Promise<void> {
  await runText(
    db(),
    `update bot_event set state = 'ended', input = null, ended_at = now()
    where project_id = $1::uuid and id = $2::uuid and state = 'waiting'`,
    [projectId, id],
  );
}
