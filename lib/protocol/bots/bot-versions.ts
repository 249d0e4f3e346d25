import type { BotFile } from './files.ts';

export type BotVersion = {
  number: number;
  filename: string;
  author: { reference: string; display: string | null } | null;
  createdAt: string;
  /** What its author said of it. */
  note: string | null;
  /** The earlier version whose code it is, where somebody went back to it. */
  from: number | null;
  /** Of the source, and its files as JSON. */
  bytes: number;
  live: boolean;
};

/** GET /admin/projects/{id}/bots/{id}/versions/{number}, with its code. `files`: the others, of a bot that is many. */
export type VersionSource = BotVersion & { source: string; files?: BotFile[] };

/** GET /admin/projects/{id}/bots/{id}/versions, newest first. */
export type BotVersions = {
  live: number | null;
  /** The live code was never the bot's draft: it was deployed past it. */
  elsewhere: boolean;
  rows: BotVersion[];
};
