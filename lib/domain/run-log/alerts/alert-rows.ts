import { type Queryable, runText } from '#lib/infra/db/client.ts';
import { toInstant } from '#lib/infra/db/to-instant.ts';
import type { BotAlert } from '#lib/protocol/bots/alert.ts';

export type AlertRow = {
  failure_percent: number | null;
  failure_hours: number | null;
  failure_minimum: number | null;
  silent_hours: number | null;
  recipients: string[] | null;
  failing_since: string | null;
  silent_since: string | null;
};

export const ALERT_COLUMNS = `failure_percent, failure_hours, failure_minimum, silent_hours, to_json(recipients) as recipients,
  failing_since::text as failing_since, silent_since::text as silent_since`;

/** What is said of a bot that nobody has said anything of. */
export const OFF: BotAlert = {
  failure: null,
  silentHours: null,
  recipients: null,
  failingSince: null,
  silentSince: null,
};

function toAlert(row: AlertRow | undefined): BotAlert {
  if (!row) return OFF;
  const { failure_percent: percent, failure_hours: hours, failure_minimum: minimum } = row;
  return {
    failure: percent && hours && minimum ? { percent, hours, minimum } : null,
    silentHours: row.silent_hours,
    recipients: row.recipients,
    failingSince: toInstant(row.failing_since),
    silentSince: toInstant(row.silent_since),
  };
}

export async function findAlert(q: Queryable, projectId: string, botId: string): Promise<BotAlert> {
  const text = `select ${ALERT_COLUMNS} from bot_alert where project_id = $1::uuid and bot_id = $2::uuid`;
  const [row] = await runText<AlertRow>(q, text, [projectId, botId]);
  return toAlert(row);
}

export async function dropAlert(tx: Queryable, projectId: string, botId: string): Promise<void> {
  await runText(tx, 'delete from bot_alert where project_id = $1::uuid and bot_id = $2::uuid', [projectId, botId]);
}
