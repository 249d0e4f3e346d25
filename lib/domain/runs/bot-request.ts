import type { RunJob, RunResult } from '#lib/infra/sandbox/host/run-job.ts';
import type { Trigger } from '#lib/protocol/bots/triggers.ts';

export type BotEvent = RunJob['event'];

export type BotRequest = {
  event: BotEvent;
  /** Used instead of `event` when the bot asks for the raw text (Bot.rawBody). */
  rawText?: string;
  contentType: string;
  /** The request's headers without credentials. */
  headers: Record<string, string>;
  trigger: Trigger;
  /** This run's id, and the run of which it is a replay. */
  replay?: { run: string; of: string };
  /** The id on record of a run that is an attempt at an event. */
  runId?: string;
  /** Names the event of which this is an attempt, where the request's id does not: all attempts are on the same version. */
  eventKey?: string;
  job?: RunningJob;
  /** What its value comes to, or what is wrong with it: as it is then it is on record. */
  shape?: (result: RunResult) => RunResult;
};

/** For a run that nobody waits for: its turn may come late, and it may be cancelled. */
export type RunningJob = {
  /** Once it is aborted the run stops, and the bot is refused everything that it asks for. */
  signal: AbortSignal;
  /** Called when its turn has come. */
  begin: () => Promise<void>;
};
