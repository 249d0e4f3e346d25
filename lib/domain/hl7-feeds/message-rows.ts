import { sql } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import type { MessageState } from '#lib/protocol/hl7/feeds/feed-answers.ts';
import type { Listened } from './listened.ts';

export type WaitingMessage = { id: string; text: string; tries: number };
/** `isRefused`: by the bot's own word, which asks for no other try. `isForgotten`: the project keeps nothing of what its bots are given, and nobody has to run it again. */
export type Ended = {
  state: MessageState;
  answer: string | null;
  failure: string | null;
  isRefused?: true;
  isForgotten?: boolean;
};

type Of = Pick<Listened, 'projectId' | 'id'>;

/** The first that waits. */
export async function findNext({ projectId, id }: Of): Promise<WaitingMessage | undefined> {
  const [row] = await db().execute<WaitingMessage>(sql`
    select m.id, m.text, m.tries from hl7_message m
    where m.project_id = ${projectId}::uuid and m.feed_id = ${id}::uuid and m.state = 'waiting' and m.text is not null order by m.seq limit 1`);
  return row;
}

/** Its turn has come. False when it waits no longer: what it said was erased. */
export async function markRunning(projectId: string, messageId: string): Promise<boolean> {
  const rows = await db().execute(sql`
    update hl7_message set state = 'running', started_at = now(), tries = tries + 1
    where project_id = ${projectId}::uuid and id = ${messageId}::uuid and state = 'waiting' returning 1`);
  return rows.length > 0;
}

/** What came of its `tries`-th run. Of what was erased meanwhile nothing is kept. */
export async function markEnded(
  projectId: string,
  messageId: string,
  { state, answer, failure, isForgotten = false }: Ended,
  tries: number,
): Promise<void> {
  await db().execute(sql`
    update hl7_message set state = case when text is null and ${state}::text = 'waiting' then 'failed' else ${state}::text end, ended_at = now(), tries = ${tries}::int, answer = case when text is not null and not ${isForgotten}::boolean then ${answer}::text end,
      failure = case when text is not null then ${failure}::text end, text = case when not ${isForgotten}::boolean then text end,
      patients = case when ${isForgotten}::boolean then '{}' else patients end
    where project_id = ${projectId}::uuid and id = ${messageId}::uuid and state in ('waiting', 'running')`);
}

/** Whether the bot was done nobody knows: it is not run twice, but by who has looked; not because it is sent again either (take-messages.ts). */
export const INTERRUPTED = 'The server was stopped while the bot ran: whether it was done is not known';

/** Told once, by the process that goes on. */
export async function failInterrupted({ projectId, id }: Of): Promise<number> {
  const rows = await db().execute(sql`
    update hl7_message set state = 'failed', ended_at = now(), answer = null, failure = ${INTERRUPTED}
    where project_id = ${projectId}::uuid and feed_id = ${id}::uuid and state = 'running' returning 1`);
  return rows.length;
}

/** Undefined while it waits or runs. */
export async function findEnded(projectId: string, messageId: string): Promise<Ended | undefined> {
  const [row] = await db().execute<Ended>(sql`
    select m.state, m.answer, m.failure from hl7_message m where m.project_id = ${projectId}::uuid and m.id = ${messageId}::uuid`);
  if (!row) return { state: 'failed', answer: null, failure: 'The message is gone' };
  return row.state === 'done' || row.state === 'failed' ? row : undefined;
}
