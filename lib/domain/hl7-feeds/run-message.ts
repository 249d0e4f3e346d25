import { AppError, notFound } from '#lib/base/errors.ts';
import { log } from '#lib/base/log.ts';
import { isPassing } from '#lib/infra/db/errors.ts';
import type { RunResult } from '#lib/infra/sandbox/host/run-job.ts';
import { HL7_TYPE } from '#lib/protocol/hl7/media-type.ts';
import { Hl7Message } from '#lib/protocol/hl7/message.ts';
import { findExcess } from '#lib/protocol/hl7/mllp/bounds.ts';
import type { Ctx } from '../access/context.ts';
import { loadBot } from '../bots/load-bot.ts';
import { botBridge } from '../rest/bot-bridge.ts';
import { outcomeStatus } from '../runs/record/outcome-status.ts';
import { runLoadedBot } from '../runs/run-loaded-bot.ts';
import type { Listened } from './listened.ts';
import { type Ended, INTERRUPTED, markRunning, type WaitingMessage } from './message-rows.ts';
import { readyActor } from './require-ready.ts';

const MOST_FAILURE = 4000;
/** PostgreSQL keeps no NUL, and MLLP begins and ends a message with the others. */
const UNSENDABLE = ['\u0000', '\u000B', '\u001C'];

/**
 * Runs the feed's bot with a message, under the bot's own rights, when it is the turn of its project. Undefined when it did not run for a reason that passes, and when
 * it waits no longer; `off` while its bot is; `waiting` where it may stand as one that runs, and does not. What the bot does wrong is in the result; of one that the end of this process cut off, that nobody knows.
 */
export async function runMessage(
  { projectId, botId }: Listened,
  { id, text }: WaitingMessage,
  signal: AbortSignal,
): Promise<Ended | 'off' | undefined> {
  const ctx: Ctx = { requestId: `hl7-${id}`, remoteAddress: '', userAgent: '' };
  let keeps = true;
  const find = async () => {
    const bot = await loadBot(projectId, botId);
    if (!bot) throw notFound();
    const actor = readyActor(bot);
    if (!actor) throw new Off();
    keeps = actor.keepsRuns;
    return { bot, caller: actor, actor };
  };
  // In so many words: what changes it is a callback, which TypeScript does not follow.
  let stage = 'before' as Stage;
  const begin = async () => {
    stage = 'beginning';
    if (!(await markRunning(projectId, id))) throw new Gone();
    stage = 'begun';
  };
  const event = { kind: 'hl7' as const, value: text };
  const input = {
    event,
    rawText: text,
    contentType: HL7_TYPE,
    headers: { 'idempotency-key': id },
    trigger: 'hl7' as const,
  };
  try {
    const result = await runLoadedBot(ctx, find, { ...input, job: { signal, begin } }, botBridge);
    if (!signal.aborted || result.ok) return forgotten(toEnded(result), keeps);
    // Cancelled while it waited for a process (supervisor.ts): it has not begun.
    return result.durationMs === 0 ? WAITING : failed(INTERRUPTED);
  } catch (error) {
    if (error instanceof Gone) return undefined;
    if (error instanceof Off) return 'off';
    // Bots cannot be run at the moment: it has done nothing.
    const isUnavailable = error instanceof AppError && error.code === 'unavailable';
    if (stage === 'beginning' || (stage === 'begun' && isUnavailable)) return WAITING;
    // It has run, or may have.
    if (stage === 'begun') {
      log.error({ err: error }, 'what came of an HL7 v2 message is not known');
      return failed(INTERRUPTED);
    }
    if (signal.aborted || isPassing(error)) return undefined;
    if (error instanceof AppError && PASSING.has(error.code)) return undefined;
    if (error instanceof AppError) return failed(error.message);
    log.error({ err: error }, 'an HL7 v2 message could not be run');
    return failed('The bot could not be run');
  }
}

/** Whether it is said that it runs. */
type Stage = 'before' | 'beginning' | 'begun';

const WAITING: Ended = { state: 'waiting', answer: null, failure: null };
const DONE: Ended = { state: 'done', answer: null, failure: null };

const PASSING = new Set(['unavailable', 'too-many-requests']);

/** It waits no longer. */
class Gone extends Error {}

/** Its bot is turned off, or nothing of it is live. */
class Off extends Error {}

function toEnded(result: RunResult): Ended {
  if (!result.ok) return failed(result.message);
  const { kind, text } = result.value;
  if (kind === 'outcome') {
    const outcome = JSON.parse(text);
    const [issue] = outcome.issue ?? [];
    if (outcomeStatus(outcome) >= 400)
      return failed(issue?.details?.text ?? issue?.diagnostics ?? 'The bot returned a failure');
  }
  const answer = kind === 'hl7' || kind === 'string' ? readAnswer(text) : undefined;
  const refusal = answer && refusalOf(answer);
  return { ...(refusal ? { ...failed(refusal), isRefused: true } : DONE), answer: answer?.toString() ?? null };
}

/** A sender whom the bot tells that it was not done sends it again; undefined where it was. */
function refusalOf(answer: Hl7Message): string | undefined {
  const msa = answer.getSegment('MSA');
  const [code, text] = [msa?.getComponent(1, 1).trim().toUpperCase() ?? '', msa?.getField(3)?.getComponent() ?? ''];
  if (!/^[AC][ER]$/.test(code)) return undefined;
  return text === '' ? `The bot answered ${code}` : `The bot answered ${code}: ${text}`;
}

function forgotten(ended: Ended, keeps: boolean): Ended {
  return ended.state === 'done' && !keeps ? { ...ended, isForgotten: true } : ended;
}

/** What a bot returns is whatever it likes: a message that can be kept, and be put in a frame, without one of its own. */
function readAnswer(text: string): Hl7Message | undefined {
  if (findExcess(Buffer.from(text)) !== undefined) return undefined;
  try {
    const message = Hl7Message.parse(text);
    const written = message.toString();
    return UNSENDABLE.some((mark) => written.includes(mark)) ? undefined : message;
  } catch {
    return undefined;
  }
}

export function failed(text: string): Ended {
  return {
    state: 'failed',
    answer: null,
    failure: text.slice(0, MOST_FAILURE).replaceAll('\u0000', '').toWellFormed(),
  };
}
