import { botTag } from '../../access/cache-tags.ts';
import { type Ctx, callerOf, requireProjectAdmin } from '../../access/context.ts';
import { write } from '../../audit/write.ts';
import { requireOwnBot } from '../require-own-bot.ts';
import { closeCanary, findCanary } from './canary-rows.ts';
import { noneRuns, requireRunning } from './promote-canary.ts';
import { tallyRuns } from './tally-runs.ts';

/** All runs are on the live version again. `version`: the one that the caller knows to be tried. Throws 409 where none is, or another. */
export async function withdrawCanary(ctx: Ctx, projectId: string, botId: string, version?: number): Promise<void> {
  const actor = requireProjectAdmin(ctx, projectId);
  await requireOwnBot(ctx, projectId, botId);
  const { id } = requireRunning(await findCanary(projectId, botId), version);
  const figures = await tallyRuns(projectId, botId);
  await write(ctx, async (w) => {
    const by = callerOf(actor).profile;
    const canary = await closeCanary(w.tx, projectId, botId, { state: 'withdrawn', by, figures }, id);
    if (!canary) throw noneRuns();
    w.invalidate(botTag(botId));
    w.audit({ projectId, action: 'bot.canary.withdraw', target: `Bot/${botId}`, after: { version: canary.number } });
  });
}
