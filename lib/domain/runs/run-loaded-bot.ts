import { env } from '#lib/base/env.ts';
import { AppError } from '#lib/base/errors.ts';
import { refuseInRehearsal } from '#lib/infra/db/rehearsing.ts';
import type { BotSession, RunJob, RunResult } from '#lib/infra/sandbox/host/run-job.ts';
import { STOPPED } from '#lib/protocol/bots/runs/stopped.ts';
import { traceOf } from '#lib/protocol/trace-of.ts';
import type { Actor, Ctx } from '../access/context.ts';
import { withoutGlass } from '../access/glass.ts';
import { isOnCanary } from '../bots/canary/is-on-canary.ts';
import { judgeSoon } from '../bots/canary/judge-soon.ts';
import type { LoadedBot } from '../bots/load-bot.ts';
import { requireBotsFeature } from '../bots/require-bot.ts';
import type { BotCode } from '../bots/to-bot-code.ts';
import { issueBotToken } from '../oauth/issue-bot-token.ts';
import { asTheyStand } from '../sessions/author-of.ts';
import { asOfNow } from './as-of-now.ts';
import type { BotRequest } from './bot-request.ts';
import { inLane } from './call-lane.ts';
import { withFetch } from './fetch/fetch-for-bot.ts';
import { withOwnFetch } from './fetch/own-address.ts';
import { enterGate, MOST_WAITING_MS, tooManyRuns } from './gate.ts';
import { maskOf } from './mask-result.ts';
import { erasedSince } from './record/erased-since.ts';
import { isAudited } from './record/is-audited.ts';
import { maskRecord, recordMask } from './record/record-mask.ts';
import { recordRun } from './record/record-run.ts';
import { inputOf } from './record/run-contents.ts';
import { statusOf } from './record/status-of.ts';
import { runBot } from './runner.ts';
import { createEnding } from './running/ending.ts';
import { noteRunning } from './running/note-running.ts';
import { toAnswer } from './to-answer.ts';
import { withoutAdministration } from './without-administration.ts';

/** A bot, and for whom it runs. */
export type Runnable = {
  bot: LoadedBot;
  /** Who asked. */
  caller: Actor;
  /** Under whose rights it runs. */
  actor: Actor | undefined;
};

/** Answers the bot's `medplum` calls as this actor: given by the caller, since those verbs stand above this room. */
export type Bridge = (ctx: Ctx) => RunJob['call'];

export type Ready = Runnable & { actor: Actor; code: BotCode };

const DEFAULT_TIMEOUT_SECONDS = 10;
const MAX_TIMEOUT_SECONDS = 900;
/** Of bots that run each other. */
const MOST_WITHIN = 5;
/** Who waits for it has a place of the project itself: all of them together could wait for ever. */
const MOST_WAITING_WITHIN_MS = 3000;

/**
 * Runs a bot that `find` finds and that may be run, when it is the turn of its project (gate.ts). What it does wrong is in the result;
 * throws what `find` throws, 400 for what keeps it from running, 429 when too many of the project's runs wait.
 */
export async function runLoadedBot(
  ctx: Ctx,
  find: (now: Ctx) => Promise<Runnable>,
  input: BotRequest,
  bridge: Bridge,
): Promise<RunResult> {
  requireShallow(ctx);
  refuseInRehearsal('run another bot');
  const found = requireReady(await find(ctx), input.trigger);
  const { projectId } = found.caller;
  const gate = enterGate(projectId, {
    signal: input.job?.signal,
    isPatient: input.job !== undefined,
    mostWaitingMs: mostWaitingMs(ctx),
  });
  const leave = await gate;
  try {
    // What was found before the wait may not be so any more, nor what who asked may do; another bot that waits for this has not waited long.
    const now = gate instanceof Promise && (!ctx.within || input.job) && ctx.actor ? await asTheyStand(ctx) : ctx;
    const ready = onCanary(gate instanceof Promise ? requireReady(await find(now), input.trigger) : found, ctx, input);
    const { bot, code, caller, actor } = ready;
    const isItself = ready.actor.user === `Bot/${ready.bot.row.id}`;
    const wantsToken = ready.code.wantsToken && isItself;
    const accessToken = wantsToken ? await issueBotToken({ ...now, actor: asBot(ready.actor, now) }) : undefined;
    // Before the run: what cannot be masked is not run.
    const mask = await recordMask(caller.projectId);
    // From here on nothing keeps it from running.
    await input.job?.begin();
    const startedAt = new Date();
    const ending = createEnding(input.job?.signal);
    const job = toRunJob(now, ready, input, asOfNow(bridge, ready.bot.actor, input.trigger), {
      accessToken,
      signal: ending.signal,
    });
    const noted = {
      projectId: caller.projectId,
      botId: bot.row.id,
      version: code.number,
      trigger: input.trigger,
      requester: caller.profile,
      requestId: ctx.requestId,
      timeoutMs: job.timeoutMs,
    };
    const ended = noteRunning(noted, ending.stop);
    const ran = await runBot(job).finally(() => {
      ended();
      ending.release();
    });
    const was = ending.isStopped() ? asStopped(ran) : shaped(ran, input);
    const { answer, kept: result } = await toAnswer(was, job.call, input, maskOf(ready.bot.secrets));
    const record = {
      ctx,
      botId: bot.row.id,
      version: code.number,
      caller,
      startedAt,
      trigger: input.trigger,
      input: inputOf(input),
      headers: input.headers,
      isKept: caller.keepsRuns,
      traceId: job.traceId,
      replay: input.replay,
      ...(isAudited(bot.resource, caller, result) && { audit: { runAs: actor } }),
      result,
      id: input.runId,
    };
    await recordRun(await maskRecord(record, mask), {
      erased: await erasedSince(caller.projectId, startedAt),
      isAnsweredFirst: isCall(input) && record.audit === undefined,
    });
    if (ready.bot.canary && ready.code === ready.bot.canary.code && statusOf(result) !== 'ok')
      judgeSoon(caller.projectId, bot.row.id, ready.bot.canary.id);
    return answer;
  } finally {
    leave();
  }
}

/** In the line of its project, and then for a process. */
function mostWaitingMs({ within }: Ctx): number {
  return within ? MOST_WAITING_WITHIN_MS : MOST_WAITING_MS;
}

/** Throws 400 for the sixth bot that runs because the fifth asked for it. */
function requireShallow({ within = 0 }: Ctx): void {
  if (within < MOST_WITHIN) return;
  throw new AppError('too-costly', `Bots run each other ${MOST_WITHIN} deep at most: this one would be one too many`);
}

function requireReady({ bot, caller, actor }: Runnable, trigger: BotRequest['trigger']): Ready {
  requireBotsFeature(caller);
  const { code } = bot;
  if (!code) throw new AppError('invalid', 'No executable code: deploy the bot first');
  if (!actor) throw new AppError('invalid', 'The bot has no active membership to run under');
  return { bot, caller, actor: withoutAdministration(actor, bot.actor, trigger), code };
}

/** The version that is tried, for the events that it falls to; who runs one again has said on which version. */
function onCanary(ready: Ready, ctx: Ctx, { trigger, eventKey = ctx.eventKey ?? ctx.requestId }: BotRequest): Ready {
  const { canary } = ready.bot;
  return canary && trigger !== 'replay' && isOnCanary(canary, eventKey) ? { ...ready, code: canary.code } : ready;
}

export function toRunJob(
  ctx: Ctx,
  { bot, caller, actor, code }: Ready,
  input: BotRequest,
  bridge: Bridge,
  { accessToken, signal = input.job?.signal }: { accessToken?: string; signal?: AbortSignal } = {},
): RunJob {
  const { resource, secrets } = bot;
  const { id: botId } = bot.row;
  const within = (ctx.within ?? 0) + 1;
  const traceId = traceOf(input.headers) ?? ctx.traceId ?? ctx.requestId;
  const eventKey = input.eventKey ?? ctx.eventKey;
  const call = bridge({
    ...ctx,
    actor: asBot(actor, ctx),
    within,
    traceId,
    ...(eventKey !== undefined && { eventKey }),
  });
  return {
    projectId: caller.projectId,
    versionKey: `${caller.projectId}/${botId}/${code.number}/${code.hash}`,
    code: code.bundle,
    sourceMap: code.sourceMap,
    event: resource.rawBody && input.rawText !== undefined ? { kind: 'text', value: input.rawText } : input.event,
    bot: { reference: `Bot/${botId}` },
    contentType: input.contentType,
    requester: { reference: caller.profile, display: caller.profileDisplay },
    traceId,
    headers: input.headers,
    secrets,
    session: { ...sessionOf(actor), accessToken },
    timeoutMs: Math.min(resource.timeout ?? DEFAULT_TIMEOUT_SECONDS, MAX_TIMEOUT_SECONDS) * 1000,
    waits: input.job ? undefined : { mostMs: mostWaitingMs(ctx), late: () => tooManyRuns('Too many bots are running') },
    // Each level has a lane of its own: one that waits for another bot must not be in its way.
    call: withOwnFetch(
      withFetch(
        inLane(`${caller.projectId}/${within}`, untilAborted(call, signal)),
        caller.projectId,
        resource.allowedHost ?? caller.botHosts,
      ),
      accessToken,
    ),
    signal,
  };
}

/** By somebody who waits for the answer: what else runs bots looks for their records. */
function isCall({ trigger, job, runId, replay }: BotRequest): boolean {
  return trigger === 'http' && !job && !runId && !replay;
}

function shaped(ran: RunResult, { shape }: BotRequest): RunResult {
  return shape ? shape(ran) : ran;
}

/** One that has ended by itself in that moment has. */
function asStopped(result: RunResult): RunResult {
  if (result.ok || result.reason !== 'cancelled') return result;
  return { ...result, reason: 'stopped', message: STOPPED };
}

function sessionOf({ projectId, projectName, profile, profileDisplay, membershipId, admin }: Actor): BotSession {
  const [resourceType = '', id = ''] = profile.split('/');
  return {
    baseUrl: env().BASE_URL,
    project: { id: projectId, name: projectName },
    profile: { resourceType, id, ...(resourceType === 'Bot' && profileDisplay && { name: profileDisplay }) },
    membership: { id: membershipId, admin },
  };
}

/** The audit trail of what a bot does leads back to the request that ran it. */
function asBot(actor: Actor, ctx: Ctx): Actor {
  return { ...withoutGlass(actor), loginId: ctx.actor?.loginId, byBot: true };
}

function untilAborted(call: RunJob['call'], signal: AbortSignal | undefined): RunJob['call'] {
  if (!signal) return call;
  return (...asked) =>
    signal.aborted ? Promise.reject(new AppError('conflict', 'This run was cancelled')) : call(...asked);
}
