import type { FailureReason, LogLevel, ResultKind, Usage } from './wire.ts';

/** One execution of one version of a bot. */
export type RunJob = {
  /** Projects do not share a process while both run. */
  projectId: string;
  /** Names the code for good: the same key always means the same bundle. */
  versionKey: string;
  /** From bundleBot. */
  code: string;
  sourceMap?: string;
  /** `json`: its text, which is JSON; `hl7`: the message's. */
  event:
    | { kind: 'json'; text: string }
    | { kind: 'text' | 'hl7'; value: string }
    | { kind: 'undefined'; value?: undefined };
  bot: { reference: string };
  contentType: string;
  requester?: { reference: string; display?: string };
  traceId: string;
  headers?: Record<string, string>;
  secrets: Record<string, unknown>;
  /** What the client says of itself without asking (inside/client/client.ts). */
  session: BotSession;
  /** From when the run starts, not while it waits for a place. */
  timeoutMs: number;
  /** Until it has a place in a process it waits so long, and is refused with this. Default: as long as it takes. */
  waits?: { mostMs: number; late: () => Error };
  /**
   * Answers one call (limits.ts CALL_METHODS), in this process. Arguments are copies, `undefined` arrives as
   * null. An AppError, or an error with an `outcome`, reaches the bot as it is; any other as a fixed text.
   */
  call: AnswerCall;
  /** Aborted, it stops wherever it is, and ends as `cancelled`. */
  signal?: AbortSignal;
};

/** As whom and where a bot is signed in. */
export type BotSession = {
  baseUrl: string;
  project: { id: string; name: string };
  profile: { resourceType: string; id: string; name?: string };
  membership: { id: string; admin: boolean };
  /** Only where the bot asks for one. */
  accessToken?: string;
};

/**
 * `note` says what the arguments do not say of a call, for the record of the run; `signal` is aborted when nobody waits for the answer any
 * more: the bot gave it up, or its run is over.
 */
export type AnswerCall = (
  method: string,
  args: unknown[],
  note: (facts: CallFacts) => void,
  signal: AbortSignal,
) => Promise<unknown>;

/** `target`: what it went to, never what it carried; `wrote`: what it changed, as `Type/id/_history/version`; `status`: HTTP's. */
export type CallFacts = { target?: string; wrote?: string[]; status?: number; bytes?: number };

/** One thing that a run asked for. `startMs`: since the run began; `bytes` of the answer. */
export type RunCall = { method: string; startMs: number; durationMs: number } & CallFacts;

/** What a bot returned, as text that can be answered without being read: JSON, or a string as it is. Empty for nothing and null. */
export type RunValue = { kind: ResultKind; text: string };

export type RunSuccess = { ok: true; value: RunValue };
/** `stack` in lines of the source; `outcome`: the OperationOutcome that the bot threw or did not catch; a valid one. */
export type RunFailure = {
  ok: false;
  /** `stopped`: by who may, and for good; `cancelled` by whatever else ended it before its time. */
  reason: FailureReason | 'stopped';
  message: string;
  stack?: string;
  outcome?: Record<string, unknown>;
};

/** A line that a run has logged; `ms` since it began. */
export type RunLine = { level: LogLevel; text: string; ms?: number };

/** `calls`: those that were answered, as they ended. `usage`: what its process says that it took. */
export type RunResult = (RunSuccess | RunFailure) & {
  logs: RunLine[];
  calls: RunCall[];
  durationMs: number;
  usage?: Usage;
};
