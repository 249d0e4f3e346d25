import { AppError } from '#lib/base/errors.ts';
import type { RunJob, RunResult } from '#lib/infra/sandbox/host/run-job.ts';
import type { Actor, Ctx } from '../access/context.ts';
import type { LoadedBot } from '../bots/load-bot.ts';
import { requireBotsFeature } from '../bots/require-bot.ts';
import { recordRun } from './record-run.ts';
import { runBot } from './runner.ts';

export type BotEvent = RunJob['event'];

export type BotRequest = {
  event: BotEvent;
  /** Used instead of `event` when the bot asks for the raw text (Bot.rawBody). */
  rawText?: string;
  contentType: string;
  /** The request's headers without credentials. */
  headers: Record<string, string>;
  trigger: 'http' | 'webhook';
  /** Once it is aborted, the bot is refused everything that it asks for. */
  signal?: AbortSignal;
};

export type RunAs = {
  /** Who asked. */
  caller: Actor;
  /** Under whose rights it runs. */
  actor: Actor | undefined;
};

/** Answers the bot's `medplum` calls as this actor: given by the caller, since those verbs stand above this room. */
export type Bridge = (ctx: Ctx) => RunJob['call'];

const DEFAULT_TIMEOUT_SECONDS = 10;
const MAX_TIMEOUT_SECONDS = 900;

/** Runs a bot that was found and may be run. What it does wrong is in the result; throws 400 for what keeps it from running. */
export async function runLoadedBot(
  ctx: Ctx,
  bot: LoadedBot,
  { caller, actor }: RunAs,
  input: BotRequest,
  bridge: Bridge,
): Promise<RunResult> {
  requireBotsFeature(caller);
  const { resource, code, secrets } = bot;
  const { id: botId } = bot.row;
  if (!code) throw new AppError('invalid', 'No executable code: deploy the bot first');
  if (!actor) throw new AppError('invalid', 'The bot has no active membership to run under');
  const startedAt = new Date();
  const result = await runBot({
    projectId: caller.projectId,
    versionKey: `${botId}/${code.number}`,
    code: code.bundle,
    sourceMap: code.sourceMap,
    event: resource.rawBody && input.rawText !== undefined ? { kind: 'text', value: input.rawText } : input.event,
    bot: { reference: `Bot/${botId}` },
    contentType: input.contentType,
    requester: { reference: caller.profile, display: caller.profileDisplay },
    traceId: ctx.requestId,
    headers: input.headers,
    secrets,
    timeoutMs: Math.min(resource.timeout ?? DEFAULT_TIMEOUT_SECONDS, MAX_TIMEOUT_SECONDS) * 1000,
    call: untilAborted(bridge({ ...ctx, actor: asBot(actor, ctx) }), input.signal),
  });
  recordRun({ ctx, botId, version: code.number, caller, startedAt, trigger: input.trigger, result });
  return result;
}

/** The audit trail of what a bot does leads back to the request that ran it. */
function asBot(actor: Actor, ctx: Ctx): Actor {
  return { ...actor, loginId: ctx.actor?.loginId };
}

function untilAborted(call: RunJob['call'], signal: AbortSignal | undefined): RunJob['call'] {
  if (!signal) return call;
  return (method, args) =>
    signal.aborted ? Promise.reject(new AppError('conflict', 'This run was cancelled')) : call(method, args);
}
