import type { RunState } from './bots.ts';

/** A run of a bot. `at` is an instant. */
export type BotRun = {
  id: string;
  at: string;
  status: RunState;
  durationMs: number;
  version: number | null;
  trigger: string;
  requester: { reference: string; display: string | null } | null;
  /** Why it failed: the bot's error with its stack in the source. */
  message: string | null;
  requestId: string;
};

/** GET /admin/projects/{id}/bots/{id}/runs, newest first; `next` is the cursor of the page after this one. */
export type BotRunPage = { rows: BotRun[]; next: string | null };

export type LogLine = { level: string; text: string };

/** GET /admin/projects/{id}/bots/{id}/runs/{id}, with everything that the bot has logged. */
export type BotRunDetail = BotRun & { logs: LogLine[] };
