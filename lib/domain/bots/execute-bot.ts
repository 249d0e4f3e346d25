import { AppError } from '#lib/base/errors.ts';
import type { RunJob, RunResult } from '#lib/infra/sandbox/run-job.ts';
import { type Actor, type Ctx, requireActor } from '../access/context.ts';
import { recordRun } from './record-run.ts';
import { requireBot, requireBotsFeature } from './require-bot.ts';
import { runBot } from './runner.ts';

export type BotEvent = RunJob['event'];

export type ExecuteInput = {
  botId: string;
  event: BotEvent;
  /** Used instead of `event` when the bot asks for the raw text (Bot.rawBody). */
  rawText?: string;
  contentType: string;
  /** The request's headers without credentials. */
  headers: Record<string, string>;
  trigger: 'http';
};

/** Answers the bot's `medplum` calls as this actor: given by the caller, since those verbs stand above this room. */
export type Bridge = (ctx: Ctx) => RunJob['call'];

const DEFAULT_TIMEOUT_SECONDS = 10;
const MAX_TIMEOUT_SECONDS = 900;

/**
 * Runs a bot that the caller can read, under the bot's own membership (or the caller's, with runAsUser). What the bot does wrong is in
 * the result; throws 400, 403 and 404 for what keeps it from running.
 */
export async function executeBot(ctx: Ctx, input: ExecuteInput, bridge: Bridge): Promise<RunResult> {
  const caller = requireActor(ctx);
  const bot = await requireBot(ctx, input.botId, 'read');
  requireBotsFeature(caller);
  if (!bot.code) throw new AppError('invalid', 'No executable code: deploy the bot first');
  const actor = bot.resource.runAsUser ? caller : bot.actor;
  if (!actor) throw new AppError('invalid', 'The bot has no active membership to run under');
  const startedAt = new Date();
  const result = await runBot({
    versionKey: `${input.botId}/${bot.code.number}`,
    code: bot.code.bundle,
    sourceMap: bot.code.sourceMap,
    event: bot.resource.rawBody && input.rawText !== undefined ? { kind: 'text', value: input.rawText } : input.event,
    bot: { reference: `Bot/${input.botId}` },
    contentType: input.contentType,
    requester: { reference: caller.profile, display: caller.profileDisplay },
    traceId: ctx.requestId,
    headers: input.headers,
    secrets: bot.secrets,
    timeoutMs: Math.min(bot.resource.timeout ?? DEFAULT_TIMEOUT_SECONDS, MAX_TIMEOUT_SECONDS) * 1000,
    call: bridge({ ...ctx, actor: asBot(actor, ctx) }),
  });
  recordRun({ ctx, botId: input.botId, version: bot.code.number, caller, startedAt, trigger: input.trigger, result });
  return result;
}

/** The audit trail of what a bot does leads back to the request that ran it. */
function asBot(actor: Actor, ctx: Ctx): Actor {
  return { ...actor, loginId: ctx.actor?.loginId };
}
