import type { RollbackRequest } from '#lib/protocol/requests/bot-console.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { findSamples } from '../bot-samples/sample-rows.ts';
import { seesSamples } from '../bot-samples/sees-samples.ts';
import { findCode } from '../bots/find-code.ts';
import { requireOwnBot } from '../bots/require-own-bot.ts';
import { rollbackBot } from '../bots/rollback-bot.ts';
import type { Bridge } from '../runs/run-loaded-bot.ts';
import { disagreement } from './release-bot.ts';
import { runSamples } from './run-samples.ts';

/**
 * Makes an earlier version live that does with each sample of the bot what the sample expects: samples may be newer than it. Throws 422 with
 * what is otherwise, unless `force` says that it is known, as a deploy does; the audit log has it then.
 */
export async function goBackTo(
  ctx: Ctx,
  projectId: string,
  botId: string,
  { force = false, ...back }: RollbackRequest,
  bridge: Bridge,
): Promise<{ number: number }> {
  requireProjectAdmin(ctx, projectId);
  await requireOwnBot(ctx, projectId, botId);
  const failed = (await tryOut()).filter(({ ok }) => !ok);
  if (failed.length > 0 && !force) throw disagreement(failed, seesSamples(ctx), 'number');
  return rollbackBot(ctx, projectId, botId, back, failed.length > 0 ? { disagreed: failed.map(({ id }) => id) } : {});

  async function tryOut() {
    const code = await findCode(projectId, botId, back.number);
    // One that the bot has not had is refused below.
    if (!code || (await findSamples(projectId, botId)).length === 0) return [];
    return runSamples(ctx, projectId, botId, { ...code, key: String(code.number) }, bridge);
  }
}
