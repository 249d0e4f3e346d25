import type { Party } from '../answers/audit.ts';
import type { CodeableConcept, Identifier } from '../fhir/types.ts';
import type { BotTrigger } from './triggers.ts';

export const RUN_STATES = ['ok', 'failed', 'timeout', 'out-of-memory'] as const;
export type RunState = (typeof RUN_STATES)[number];

/** A bot of the project. Times are instants. */
export type BotRow = {
  id: string;
  name: string;
  description: string | null;
  identifier: Identifier[];
  /** By their words. */
  category: string[];
  /** What runs it beside a call. */
  triggers: BotTrigger[];
  membershipId: string | null;
  /** Its membership is not active: it does not run, whoever asks. */
  isOff: boolean;
  /** Who made it; null where that is not known. */
  madeBy: Party | null;
  lastUpdated: string;
  /** Number of the version that runs; null when none was deployed. */
  live: number | null;
  /** The saved source is not what runs. */
  draft: boolean;
  /** Of the last 24 hours: of this one, and the 23 before it. */
  runs24h: number;
  failed24h: number;
  /** Of those, by hour, from the oldest to this one: how many, and how many of them failed. */
  hours: [runs: number, failed: number][];
  /** To be looked at (`isFailing`). */
  failing: boolean;
  successPercent: number | null;
  /** To within 5 %, or a millisecond. */
  p95Ms: number | null;
  lastRun: { id: string; at: string; status: RunState } | null;
};

/** GET /admin/projects/{id}/bots, by name. `rows` are the first of `total`. */
export type BotList = { total: number; rows: BotRow[] };

/** What a category is called. */
export function toCategoryName({ text, coding: [first] = [] }: CodeableConcept): string | undefined {
  return text ?? first?.display ?? first?.code;
}
