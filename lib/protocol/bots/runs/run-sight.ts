import { z } from 'zod';
import { projectRunsQuery } from './run-requests.ts';

const { bot, version, status, trigger, fingerprint, replayOf, since, until } = projectRunsQuery.shape;

/** GET /admin/projects/:id/runs/live: which of those that end from now on. */
export const liveRunsQuery = z.strictObject({ bot, version, status, trigger, fingerprint, replayOf });
export type LiveRunsQuery = z.output<typeof liveRunsQuery>;

/** GET /admin/projects/:id/runs/errors */
export const runErrorsQuery = z.strictObject({
  bot,
  since,
  until,
  state: z.enum(['open', 'resolved'], { error: 'state must be open or resolved' }).optional(),
});
export type RunErrorsQuery = z.output<typeof runErrorsQuery>;
export type FaultState = NonNullable<RunErrorsQuery['state']>;

const SPANS = ['day', 'week', 'month'] as const;

/** GET /admin/projects/:id/runs/figures: of a day by its hours, of a week or a month by its days (UTC). */
export const runFiguresQuery = z.strictObject({
  bot,
  span: z.enum(SPANS, { error: `span must be one of ${SPANS.join(', ')}` }).default('day'),
});
export type RunFiguresQuery = z.output<typeof runFiguresQuery>;
export type FigureSpan = RunFiguresQuery['span'];

/** Failures that are one fault (`fingerprint`), newest first. */
export type ErrorGroup = {
  fingerprint: string;
  count: number;
  firstAt: string;
  lastAt: string;
  /** Of the newest of them. */
  status: string;
  /** Masked, as lists tell it; null where it went with a patient's record. */
  message: string | null;
  /** Up to ten of each, the newest first; versions that have failed like this. */
  versions: number[];
  bots: { id: string; name: string | null }[];
  /** The newest run. */
  run: string;
  /** Events that were given up with it, of these bots or of others, and stand among the dead letters. */
  deadLetters: number;
  /** Who said that it is over, and when. `again`: a run that began after that failed alike, and so it is open. */
  resolved: { at: string; by: { reference: string; display: string | null } | null; again: boolean } | null;
};

/** PUT /admin/projects/:id/runs/errors/:fingerprint/resolved */
export type ResolvedFault = { fingerprint: string; resolvedAt: string };

/** `lookedTo`: so far back, where there are more failures in the time than are looked at: counts are of these. Null: all were. */
export type ErrorGroups = { groups: ErrorGroup[]; lookedTo: string | null };

/** `at`: when the hour or day begins. `p50Ms` and `p95Ms` are 5 % off at most, null where nothing ran. */
export type RunFigure = { at: string; runs: number; failed: number; p50Ms: number | null; p95Ms: number | null };

/** Oldest first, without gaps; the last is not over yet. */
export type RunFigures = { step: 'hour' | 'day'; figures: RunFigure[]; total: Omit<RunFigure, 'at'> };
