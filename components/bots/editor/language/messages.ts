import type { BotFile } from '#lib/protocol/bots/files.ts';

/** What the page and the language's worker tell each other. Places are offsets in the text as its author sees it. */

export type Candidate = {
  label: string;
  /** What kind of thing it is, in the words of the list's icons: method, property, variable, … */
  type: string;
  /** Smaller first. */
  rank: string;
  /** Stands instead of `from`–`to` of the text, where it is more than the word that is being written. */
  insert?: { text: string; from: number; to: number };
};

export type Completions = { from: number; candidates: Candidate[] };
export type Explanation = { from: number; to: number; signature: string; text: string };
export type Problem = { from: number; to: number; severity: 'error' | 'warning'; message: string };

export type Question =
  | { kind: 'complete'; at: number }
  | { kind: 'explain'; at: number }
  | { kind: 'describe'; at: number; label: string }
  | { kind: 'check' }
  /** Of all files. */
  | { kind: 'survey' };

export type Answers = {
  complete: Completions | undefined;
  explain: Explanation | undefined;
  describe: Explanation | undefined;
  check: Problem[];
  /** How much is wrong, by file. */
  survey: Record<string, number>;
};

export type FromPage =
  /** The declarations, gzipped, before anything else. */
  | { kind: 'types'; bytes: ArrayBuffer }
  /** Other files of the bot: those that are new or have changed, and those that are gone. */
  | { kind: 'files'; changed: BotFile[]; removed: string[] }
  | { kind: 'ask'; id: number; file: string; text: string; question: Question };

export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'failed'; text: string }
  | { kind: 'answer'; id: number; answer: Answers[keyof Answers] };
