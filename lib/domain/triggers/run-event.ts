import { AppError, notFound } from '#lib/base/errors.ts';
import type { Actor, Ctx } from '../access/context.ts';
import { endEvent, findWaiting } from '../bot-events/event-rows.ts';
import type { EventTrigger } from '../bot-events/queue-bot-event.ts';
import { type LoadedBot, loadBot } from '../bots/load-bot.ts';
import { botBridge } from '../rest/bot-bridge.ts';
import { runLoadedBot } from '../runs/run-loaded-bot.ts';
import { keepWithinQuota } from './keep-within-quota.ts';
import { runBotJob } from './run-bot-job.ts';

/** As it is queued (queue-bot-event.ts). */
export type QueuedEvent = {
  projectId: string;
  eventId: string;
  botId: string;
  trigger: EventTrigger;
  focus: string;
  lane: string;
  /** A number. */
  attempts: string;
  /** How often it was replayed, as a number. */
  replay?: string;
};

/** One attempt (from 1) at an event that is stored nowhere else. Throws when it is to be tried again. */
export async function runEvent(queued: QueuedEvent, attempt: number, signal: AbortSignal): Promise<void> {
  const { projectId, eventId, botId, trigger, focus, attempts, replay = '0' } = queued;
  const input = await findWaiting(projectId, eventId);
  if (!input) return;
  await keepWithinQuota(projectId, attempt);
  const ctx: Ctx = { requestId: `${trigger}-${eventId}`, remoteAddress: '', userAgent: '', depth: 1 };
  const find = async () => {
    const bot = await requireEventBot(projectId, botId);
    return { bot, caller: requireOwn(bot), actor: bot.actor };
  };
  const rawText = input.event.kind === 'json' ? JSON.stringify(input.event.value) : input.event.value;
  const event = input.event.kind === 'json' ? { kind: 'json' as const, text: rawText } : input.event;
  const headers = { ...input.headers, 'idempotency-key': eventId };
  const given = { ...input, headers, event, rawText };
  const failure = await runBotJob(
    {
      key: `${eventId} ${replay}`,
      attempts: Number(attempts),
      burial: { projectId, id: eventId, trigger, focus, job: { name: 'event', data: queued } },
      findBot: async () => botId,
      given,
      run: async (_, runId) => {
        const { bot } = await find();
        if (trigger === 'cron') requireCron(requireOwn(bot));
        const job = { signal, begin: async () => {} };
        return runLoadedBot({ ...ctx, actor: bot.actor }, find, { ...given, trigger, job, runId }, botBridge);
      },
    },
    attempt,
    signal,
  );
  if (failure === undefined) await endEvent(projectId, eventId);
}

async function requireEventBot(projectId: string, botId: string): Promise<LoadedBot> {
  const bot = await loadBot(projectId, botId);
  if (!bot) throw notFound();
  return bot;
}

/** Nobody asks but the bot itself. */
function requireOwn({ actor }: LoadedBot): Actor {
  if (!actor) throw new AppError('invalid', 'The bot has no active membership to run under');
  return actor;
}

function requireCron({ features }: Actor): void {
  if (!features.includes('cron')) throw new AppError('invalid', 'Times of bots (cron) are not enabled in this project');
}
