/** What the supervisor and a runner process say to each other, as frames (wire/layouts.ts says of what parts): numbers, or null, and texts, or undefined. */
export type ToRunner =
  | ['init', prelude: string, processMemoryMb: number, idleMb: number, core: string]
  | ['load', versionKey: string, code: string, sourceMap: string | undefined]
  | ['unload', versionKey: string]
  | [
      'run',
      runId: number,
      versionKey: string,
      memoryMb: number,
      timeoutMs: number,
      event: string,
      inputKind: EventKind,
      input: string,
    ]
  /** `ok`: 1 or 0. */
  | ['reply', runId: number, callId: number, ok: number, value: string | undefined]
  /** Nobody waits for this run any more. */
  | ['cancel', runId: number];

export type FromRunner =
  | ['ready']
  | ['call', runId: number, callId: number, method: string, args: string]
  /** Nobody waits for the answer of this call any more. */
  | ['abort', runId: number, callId: number]
  | ['log', runId: number, level: LogLevel, text: string]
  | ['done', runId: number, kind: ResultKind, text: string, ...Taken]
  | [
      'failed',
      runId: number,
      reason: FailureReason,
      message: string,
      stack: string | undefined,
      outcome: string | undefined,
      ...Taken,
    ]
  // Nothing of this run executes any more: it may have left something running after its end. And how many isolates the process has.
  | ['free', runId: number, isolates: number]
  // The process ends now, because of this run.
  | ['lost', runId: number]
  // Replace this process when its runs have ended: a thread cannot be stopped, or memory did not come back.
  | ['worn'];

/** What a run took of the processor, and how large its isolate's heap was at its end; null where that was gone by then. */
export type Usage = [cpuUs: number, heapKb: number | null];
/** The same, where also the first may be unknown. */
export type Taken = [cpuUs: number | null, heapKb: number | null];

export type EventKind = 'json' | 'text' | 'hl7' | 'undefined';

/** What the prelude says of a value that a bot returned. */
export const VALUE_KINDS = ['undefined', 'null', 'json', 'string', 'number', 'boolean', 'hl7'] as const;
export type ValueKind = (typeof VALUE_KINDS)[number];

/**
 * What the process says of it, having looked: `outcome` and `binary` are JSON, of a valid OperationOutcome and of a Binary, short enough
 * to be parsed; `json-string` is a string that is JSON itself.
 */
export const RESULT_KINDS = [...VALUE_KINDS, 'outcome', 'binary', 'json-string'] as const;
export type ResultKind = (typeof RESULT_KINDS)[number];

export const LOG_LEVELS = ['log', 'info', 'warn', 'error', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What a bot's own context can say of its failure. */
export const BOT_FAILURES = ['threw', 'no-handler', 'load-error', 'unserializable'] as const;
export type BotFailure = (typeof BOT_FAILURES)[number];

/** `breach`: the bot sent what its context would never send. */
export const FAILURE_REASONS = [...BOT_FAILURES, 'timeout', 'out-of-memory', 'breach', 'crashed', 'cancelled'] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/** `stack` in lines of the source; `outcome` is the JSON of the valid OperationOutcome that the bot threw. */
export type FailureDetail = { message: string; stack?: string; outcome?: string };
