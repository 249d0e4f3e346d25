import type { RollbackRequest } from '#lib/protocol/requests/bot-console.ts';
import type { Ctx } from '../access/context.ts';
import { requireOwnBot } from '../bots/require-own-bot.ts';
import { rollbackBot } from '../bots/rollback-bot.ts';
import type { Bridge } from '../runs/run-loaded-bot.ts';
import { requireSamples } from './require-samples.ts';

/** Makes an earlier version live. Throws what `requireSamples` and `rollbackBot` throw. */
export async function goBackTo(
  ctx: Ctx,
  projectId: string,
  botId: string,
  { force = false, ...back }: RollbackRequest,
  bridge: Bridge,
): Promise<{ number: number }> {
  await requireOwnBot(ctx, projectId, botId);
  const told = await requireSamples(
    ctx,
    projectId,
    botId,
    { number: back.number, force, expression: 'number' },
    bridge,
  );
  return rollbackBot(ctx, projectId, botId, back, told);
}
