import { AppError, notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { uniqueViolation } from '#lib/infra/db/errors.ts';
import { MOST_SAMPLES, type SampleRequest } from '#lib/protocol/bots/samples.ts';
import { type Ctx, callerOf } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { requireOwnBot } from '../bots/require-own-bot.ts';
import { lockRow, requireLive } from '../store/find-row.ts';
import { countSamples, saveSampleRow } from './sample-rows.ts';
import { requireSampleSight } from './sees-samples.ts';

/** A new sample, or another in place of the one with this id. Throws 403, 404, 409 for a name that another has, and 422 past fifty. */
export async function saveSample(
  ctx: Ctx,
  projectId: string,
  botId: string,
  id: string | undefined,
  sample: SampleRequest,
): Promise<{ id: string }> {
  const actor = requireSampleSight(ctx, projectId);
  await requireOwnBot(ctx, projectId, botId);
  if (id !== undefined && !isUuid(id)) throw notFound();
  return write(ctx, async (w) => {
    requireLive(await lockRow(w.tx, projectId, 'Bot', botId));
    const author = callerOf(actor).profile;
    const saved = await saveSampleRow(w.tx, { projectId, botId, id, author }, sample).catch(asTaken);
    if (saved === undefined) throw notFound();
    if ((await countSamples(w.tx, projectId, botId)) > MOST_SAMPLES)
      throw new AppError('business-rule', `A bot has at most ${MOST_SAMPLES} samples`);
    // Its name may be a patient's: the log is told the id alone.
    w.audit({ projectId, action: 'bot.sample.save', target: `Bot/${botId}`, after: { sample: saved } });
    return { id: saved };
  });
}

function asTaken(error: unknown): never {
  if (uniqueViolation(error) === undefined) throw error;
  throw new AppError('conflict', 'Another sample of this bot has this name', { expression: 'name', cause: error });
}
