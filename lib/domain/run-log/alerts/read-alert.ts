import { db, runText } from '#lib/infra/db/client.ts';
import type { BotAlert } from '#lib/protocol/bots/alert.ts';
import type { Ctx } from '../../access/context.ts';
import { requireOwnBot } from '../../bots/require-own-bot.ts';
import { ALERT_COLUMNS, type AlertRow, toAlert } from './alert-rows.ts';

/** When administrators are told of this bot. Throws what `requireOwnBot` throws. */
export async function readAlert(ctx: Ctx, projectId: string, botId: string): Promise<BotAlert> {
  await requireOwnBot(ctx, projectId, botId);
  const text = `select ${ALERT_COLUMNS} from bot_alert where project_id = $1::uuid and bot_id = $2::uuid`;
  const [row] = await runText<AlertRow>(db(), text, [projectId, botId]);
  return toAlert(row);
}
