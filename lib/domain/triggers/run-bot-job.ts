import { AppError } from '#lib/base/errors.ts';
import type { RunResult } from '#lib/infra/sandbox/host/run-job.ts';
import { STOPPED } from '#lib/protocol/bots/runs/stopped.ts';
import { type Burial, bury } from '../bot-events/bury.ts';
import { attemptId } from '../runs/attempt-id.ts';
import { findAttempts } from '../runs/find-attempts.ts';
import { maskRecord, recordMask } from '../runs/record/record-mask.ts';
import { inputOf } from '../runs/record/run-contents.ts';
import { faultOf, isCarriedOut } from '../runs/record/run-row.ts';
import { failureOf } from '../runs/record/status-of.ts';

/** What is done for an event: `run` with the id that the run has on record. */
export type BotJob = {
  /** Names the event, and which of its replays this is. */
  key: string;
  /** How often it is tried when the bot itself fails. */
  attempts: number;
  burial: Omit<Burial, keyof Fault | 'attempts' | 'botId' | 'firstFailedAt'>;
  findBot: () => Promise<string>;
  /** What it is run with. */
  given: Parameters<typeof inputOf>[0];
  run: (botId: string, runId: string) => Promise<RunResult>;
};

/** Of attempts of all kinds, also those that a killed process cut off: what the queue gives, less one that says that it was the last. */
const MOST_TRIES = 18;
/** Of attempts that took their process with them: it may be the bot's doing. */
const MOST_CRASHES = 5;
/** A run that could not begin: its time may come. Everything else that is refused stays so until somebody sees to it. */
const PASSING = new Set(['too-many-requests', 'unavailable', 'conflict', 'exception']);

/**
 * One attempt (from 1) at an event. It has ended when a run of it on record went well, or it is a dead letter: an attempt that follows on a killed process
 * looks first, and finds it. Throws when it is to be tried again. Resolves to what went wrong for good; undefined when nothing did.
 */
export async function runBotJob(job: BotJob, attempt: number, signal: AbortSignal): Promise<string | undefined> {
  const { key, attempts, burial } = job;
  const { projectId } = burial;
  const ids = Array.from({ length: attempt - 1 }, (_, at) => attemptId(key, at + 1));
  const earlier = await findAttempts(projectId, ids);
  if (earlier.some(({ status }) => status === 'ok')) return undefined;
  let botId: string | undefined;
  const giveUp = async (why: Fault, failed: number, told = FAILED) => {
    const firstFailedAt = earlier[0]?.startedAt;
    await bury({ ...burial, ...why, botId: botId ?? null, attempts: failed, firstFailedAt });
    return told;
  };
  try {
    botId = await job.findBot();
    const last = earlier.at(-1);
    // One that was stopped is not tried again, whatever became of the process that was to say so.
    if (last && (earlier.length >= attempts || last.message === STOPPED))
      return await giveUp({ message: last.message ?? FAILED, fingerprint: last.fingerprint }, earlier.length);
    const result = await job.run(botId, attemptId(key, attempt));
    if (failureOf(result) === null) return undefined;
    // As it is on record, so that both have one fingerprint.
    const kept = await maskRecord({ input: inputOf(job.given), result }, await recordMask(projectId));
    const fault = faultOf(kept.result, kept.input);
    if (!fault) return undefined;
    // What the server's stop cut off is no failure of the bot, however often it was tried before.
    if (signal.aborted) throw new Unfinished(fault);
    if (!isCarriedOut(result) && attempt < MOST_CRASHES) throw new Unfinished(fault);
    // Who stops it does not want it to be tried again: it may be replayed.
    const isStopped = !result.ok && result.reason === 'stopped';
    if (isStopped || earlier.length + 1 >= attempts) return await giveUp(fault, earlier.length + 1);
    throw new Unfinished(fault);
  } catch (error) {
    if (signal.aborted) throw error;
    const passes = !(error instanceof AppError) || PASSING.has(error.code);
    if (passes && attempt < MOST_TRIES) throw error;
    const told = error instanceof AppError ? error.message : UNRUN;
    return giveUp(whyOf(error), attempt, told);
  }
}

/** What may be told outside: what the bot says may be of a patient. */
const FAILED = 'the bot failed: its runs say why';
const UNRUN = 'the bot could not be run: its dead letter says why';

type Fault = Pick<Burial, 'message' | 'fingerprint'>;

class Unfinished extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.message);
    this.fault = fault;
  }
}

/** Of whatever else it may be, the database's errors say what was asked, which may be of a patient, too. */
function whyOf(error: unknown): Fault {
  if (error instanceof Unfinished) return error.fault;
  return { message: error instanceof AppError ? error.message : 'The server could not run the bot: its log says why' };
}
