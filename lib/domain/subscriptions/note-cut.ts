import { AppError } from '#lib/base/errors.ts';
import type { Actor, Ctx } from '../access/context.ts';
import { attemptId } from '../runs/attempt-id.ts';
import { recordRun } from '../runs/record/record-run.ts';
import type { Feed } from '../store/feeds/read-subscription.ts';
import { type Delivery, nameOf } from './delivery.ts';
import { findToldBot } from './find-told-bot.ts';

/** The record of a run that was not begun, since it would go on with a loop. Nothing for a subscription that runs no bot, or none that is there. */
export async function noteCut(
  delivery: Delivery,
  { actor, feed, text }: { actor: Actor; feed: Feed; text: string },
): Promise<void> {
  const ctx: Ctx = { requestId: `subscription-${delivery.subscriptionId}`, remoteAddress: '', userAgent: '', actor };
  const botId = await findToldBot(ctx, feed).catch(refused);
  if (botId === undefined) return;
  await recordRun({
    ctx,
    botId,
    version: null,
    caller: actor,
    startedAt: new Date(),
    trigger: 'subscription',
    input: null,
    isKept: actor.keepsRuns,
    traceId: ctx.requestId,
    result: { ok: false, reason: 'threw', message: text, logs: [], calls: [], durationMs: 0 },
    id: attemptId(nameOf(delivery), 1),
  });
}

function refused(error: unknown): undefined {
  if (error instanceof AppError) return undefined;
  throw error;
}
