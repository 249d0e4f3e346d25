import { botTag } from '../../access/cache-tags.ts';
import { type Ctx, callerOf, requireProjectAdmin } from '../../access/context.ts';
import { write } from '../../audit/write.ts';
import { requireOwnBot } from '../require-own-bot.ts';
import { closeCanary } from './canary-rows.ts';
import { noneRuns } from './promote-canary.ts';
import { tallyRuns } from './tally-runs.ts';

/** All runs are on the live version again. Throws 409 where none is tried. */
export async function withdrawCanary(ctx: Ctx, projectId: string, botId: string): Promise<void> {
  const actor = requireProjectAdmin(ctx, projectId);
  await requireOwnBot(ctx, projectId, botId);
  const figures = await tallyRuns(projectId, botId);
  await write(ctx, async (w) => {
    const by = callerOf(actor).profile;
    const canary = await closeCanary(w.tx, projectId, botId, { state: 'withdrawn', by, figures });
    if (!canary) throw noneRuns();
    w.invalidate(botTag(botId));
    w.audit({ projectId, action: 'bot.canary.withdraw', target: `Bot/${botId}`, after: { version: canary.number } });
  });
}
