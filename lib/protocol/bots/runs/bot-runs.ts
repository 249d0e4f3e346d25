import type { RunState } from '../bots.ts';
import type { Content } from '../masking/mask-run.ts';

/** A run of a bot. `at` is an instant. */
export type BotRun = {
  id: string;
  at: string;
  status: RunState;
  durationMs: number;
  /** Of the processor, and the heap of its isolate at its end; null where its process did not live to say so. */
  cpuMs: number | null;
  heapKb: number | null;
  version: number | null;
  trigger: string;
  requester: { reference: string; display: string | null } | null;
  /** Why it failed: the bot's error with its stack in the source, masked. */
  message: string | null;
  /** The same for runs that failed for one reason. */
  fingerprint: string | null;
  requestId: string;
  traceId: string | null;
  /** The run of which it is a replay. */
  replayOf: string | null;
};

/** GET /admin/projects/{id}/bots/{id}/runs, newest first; `next` is the cursor of the page after this one. */
export type BotRunPage = { rows: BotRun[]; next: string | null };

export type ProjectRun = BotRun & { bot: { id: string; name: string | null } };

/**
 * GET /admin/projects/{id}/runs. A page may hold fewer rows than were asked for, or none, and still have a `next`: of runs that a filter leaves out only
 * so many are looked at for one page. `lookedTo`: how far back this one went.
 */
export type ProjectRunPage = { rows: ProjectRun[]; next: string | null; lookedTo: string | null };

/** GET /admin/projects/{id}/runs/running, those first that have run longest. It is no run on record yet. */
export type RunningRun = Pick<ProjectRun, 'id' | 'at' | 'trigger' | 'requester' | 'requestId' | 'bot'> & {
  version: number;
  /** An administrator has said that it is to end. */
  isStopping: boolean;
};
export type RunningRuns = { rows: RunningRun[] };

/** `ms`: since the run began; null in what is older. */
export type LogLine = { level: string; text: string; ms?: number };

/** One thing that the run asked for. */
export type RunCall = {
  method: string;
  target?: string;
  wrote?: string[];
  status?: number;
  bytes?: number;
  startMs: number;
  durationMs: number;
};

/**
 * What went in, or came out. `text`: null where it may not be shown (reveal it), or none was kept; `isCut`: it is longer than what is kept, and its
 * beginning is here.
 */
export type RunContent = { kind: Content['kind']; bytes: number; text: string | null; isKept: boolean; isCut: boolean };

/** GET /admin/projects/{id}/runs/{id}. `isMasked`: without what identifies somebody; POST …/reveal answers it as it was. */
export type BotRunDetail = ProjectRun & {
  isMasked: boolean;
  input: RunContent | null;
  output: RunContent | null;
  logs: LogLine[];
  calls: RunCall[];
};

/** POST /admin/projects/{id}/runs/{id}/replay */
export type Replayed = { run: string; of: string; version: number; status: RunState };
