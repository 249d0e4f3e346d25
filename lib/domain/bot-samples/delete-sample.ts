import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { requireOwnBot } from '../bots/require-own-bot.ts';
import { removeSample } from './sample-rows.ts';
import { requireSampleSight } from './sees-samples.ts';

/** Throws 403, 404. */
export async function deleteSample(ctx: Ctx, projectId: string, botId: string, id: string): Promise<void> {
  requireSampleSight(ctx, projectId);
  await requireOwnBot(ctx, projectId, botId);
  if (!isUuid(id)) throw notFound();
  await write(ctx, async (w) => {
    if ((await removeSample(w.tx, projectId, botId, id)) === undefined) throw notFound();
    w.audit({ projectId, action: 'bot.sample.delete', target: `Bot/${botId}`, before: { sample: id } });
  });
}
