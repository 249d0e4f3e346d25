import { sql } from 'drizzle-orm';
import { env } from '#lib/base/env.ts';
import { type Queryable, runText, transaction } from '#lib/infra/db/client.ts';
import { retried } from '#lib/infra/db/errors.ts';
import { isOlder, type OverRows } from '#lib/infra/db/sweep.ts';

/** An event that ended is known by its key for a while; one whose dead letter is gone is over, too. */
export function over(): OverRows {
  const { RETAIN_IDEMPOTENCY_DAYS, RETAIN_DEAD_LETTERS_DAYS } = env();
  const ended = isOlder('t.ended_at', RETAIN_IDEMPOTENCY_DAYS);
  return {
    dead_letter: {
      key: ['project_id', 'id'],
      which: isOlder('t.last_failed_at', RETAIN_DEAD_LETTERS_DAYS),
      inside: (projectId, drop) =>
        retried(() =>
          transaction(async (tx) => {
            const rows = await drop(tx);
            if (rows > 0) await endLetterless(tx, projectId);
            return rows;
          }),
        ),
    },
    bot_event: {
      key: ['project_id', 'id'],
      which:
        ended &&
        ((projectId) => sql`${ended} and (t.state = 'ended' or t.state = 'dead' and not exists (
          select 1 from dead_letter d where d.project_id = ${projectId}::uuid and d.id = t.id))`),
    },
  };
}

/** What an event was given goes with its letter; that it was is known for as long as that of every other. */
async function endLetterless(tx: Queryable, projectId: string): Promise<void> {
  await runText(tx, END_LETTERLESS, [projectId]);
}

const END_LETTERLESS = `
  update bot_event t set state = 'ended', input = null where t.project_id = $1::uuid and t.state = 'dead'
    and not exists (select 1 from dead_letter d where d.project_id = $1::uuid and d.id = t.id)`;
