import { isDeepStrictEqual } from 'node:util';
import { AppError } from '#lib/base/errors.ts';
import { type Queryable, runText } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import type { AlertSettings, BotAlert, BotAlertRequest } from '#lib/protocol/bots/alert.ts';
import type { Ctx } from '../../access/context.ts';
import { findAdministratorsAt } from '../../accounts/find-administrators.ts';
import { write } from '../../audit/write.ts';
import { requireOwnBot } from '../../bots/require-own-bot.ts';
import { dropAlert, findAlert, OFF } from './alert-rows.ts';

/**
 * Says when administrators are told of this bot; with neither a rate nor a silence they are not. What was told before is forgotten: it is looked at anew.
 * Throws 412 where they are not what `over` says, 422 for an address that is no administrator's, and what `requireOwnBot` throws.
 */
export async function setAlert(
  ctx: Ctx,
  projectId: string,
  botId: string,
  request: BotAlertRequest,
): Promise<BotAlert> {
  await requireOwnBot(ctx, projectId, botId);
  const { over, ...settings } = request;
  const { failure, silentHours, recipients } = settings;
  return write(ctx, async (w) => {
    await requireOver(w.tx, { projectId, botId, over });
    if (recipients) {
      const known = new Set(await findAdministratorsAt(w.tx, projectId, recipients));
      const stranger = recipients.find((address) => !known.has(address));
      if (stranger !== undefined)
        throw new AppError('business-rule', `${stranger} is no address of an administrator of the project`, {
          expression: 'recipients',
        });
    }
    await dropAlert(w.tx, projectId, botId);
    if (failure || silentHours)
      await runText(w.tx, INSERT, [
        ...[projectId, botId, failure?.percent ?? null, failure?.hours ?? null, failure?.minimum ?? null],
        ...[silentHours, recipients && toTextArray(recipients)],
      ]);
    // Addresses stand in the accounts.
    const after = { failure, silentHours, recipients: recipients?.length ?? null };
    w.audit({ projectId, action: 'bot.alert.set', target: `Bot/${botId}`, after });
    return { ...OFF, ...(failure || silentHours ? settings : {}) };
  });
}

type Over = { projectId: string; botId: string; over: AlertSettings | undefined };

async function requireOver(tx: Queryable, { projectId, botId, over }: Over): Promise<void> {
  if (over === undefined) return;
  const { failure, silentHours, recipients } = await findAlert(tx, projectId, botId);
  if (!isDeepStrictEqual({ failure, silentHours, recipients }, over))
    throw new AppError('precondition-failed', 'Somebody else changed these alerts meanwhile', { expression: 'over' });
}

const INSERT = `
  insert into bot_alert (project_id, bot_id, failure_percent, failure_hours, failure_minimum, silent_hours, recipients)
  values ($1::uuid, $2::uuid, $3::int, $4::int, $5::int, $6::int, $7::text[])`;
