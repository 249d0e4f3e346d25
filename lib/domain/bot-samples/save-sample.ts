import { AppError, notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { uniqueViolation } from '#lib/infra/db/errors.ts';
import { MOST_SAMPLES, type SampleChange } from '#lib/protocol/bots/samples.ts';
import { type Ctx, callerOf } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { requireOwnBot } from '../bots/require-own-bot.ts';
import { lockRow, requireLive } from '../store/find-row.ts';
import { requireInput } from './require-input.ts';
import { countSamples, findChangedAt, saveSampleRow } from './sample-rows.ts';
import { requireSampleSight } from './sees-samples.ts';

/**
 * A new sample, or another in place of the one with this id. Throws 403, 404, 409 for a name that another has, 412 where it is not what it was when its
 * author saw it, 415 and 400 for an input that bots do not take, and 422 past fifty.
 */
export async function saveSample(
  ctx: Ctx,
  projectId: string,
  botId: string,
  id: string | undefined,
  { over, ...sample }: SampleChange,
): Promise<{ id: string }> {
  const actor = requireSampleSight(ctx, projectId);
  await requireOwnBot(ctx, projectId, botId);
  if (id !== undefined && !isUuid(id)) throw notFound();
  requireInput(sample.input);
  return write(ctx, async (w) => {
    requireLive(await lockRow(w.tx, projectId, 'Bot', botId));
    const author = callerOf(actor).profile;
    if (id !== undefined && over !== undefined) await requireSeen(w.tx, { projectId, botId, id }, new Date(over));
    const saved = await saveSampleRow(w.tx, { projectId, botId, id, author }, sample).catch(asTaken);
    if (saved === undefined) throw notFound();
    if ((await countSamples(w.tx, projectId, botId)) > MOST_SAMPLES)
      throw new AppError('business-rule', `A bot has at most ${MOST_SAMPLES} samples`);
    // Its name may be a patient's: the log is told the id alone.
    w.audit({ projectId, action: 'bot.sample.save', target: `Bot/${botId}`, after: { sample: saved } });
    return { id: saved };
  });
}

async function requireSeen(tx: Queryable, of: Parameters<typeof findChangedAt>[1], over: Date): Promise<void> {
  const changedAt = await findChangedAt(tx, of);
  if (changedAt && changedAt.getTime() !== over.getTime())
    throw new AppError('precondition-failed', 'Somebody else changed this sample meanwhile', { expression: 'over' });
}

function asTaken(error: unknown): never {
  if (uniqueViolation(error) === undefined) throw error;
  throw new AppError('conflict', 'Another sample of this bot has this name', { expression: 'name', cause: error });
}
