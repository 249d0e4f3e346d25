/** What the supervisor and a runner process say to each other. Tuples, because every run pays for the names of keys. */
export type ToRunner =
  | ['init', prelude: string, processMemoryMb: number]
  | ['load', versionKey: string, code: string]
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
  | ['reply', runId: number, callId: number, ok: boolean, value: string | undefined];

export type FromRunner =
  | ['ready']
  | ['call', runId: number, callId: number, method: string, args: string]
  | ['log', runId: number, level: LogLevel, text: string]
  | ['done', runId: number, kind: ValueKind, text: string]
  | ['failed', runId: number, reason: FailureReason, detail: FailureDetail]
  // The process ends now, because of this run.
  | ['lost', runId: number]
  // Replace this process when its runs have ended: a thread cannot be stopped, or memory did not come back.
  | ['worn'];

export type EventKind = 'json' | 'text' | 'hl7' | 'undefined';
export type ValueKind = 'undefined' | 'null' | 'json' | 'string' | 'number' | 'boolean' | 'hl7';
export type LogLevel = 'log' | 'info' | 'warn' | 'error' | 'debug';
export type FailureReason =
  | 'threw'
  | 'timeout'
  | 'out-of-memory'
  | 'no-handler'
  | 'load-error'
  | 'unserializable'
  | 'crashed';
/** `outcome` is the JSON of the OperationOutcome that the bot threw. */
export type FailureDetail = { message: string; stack?: string; outcome?: string };
