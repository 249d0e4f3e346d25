import { z } from 'zod';

/** `reverted`: by itself, since it failed more. */
export const CANARY_STATES = ['running', 'promoted', 'withdrawn', 'reverted', 'replaced'] as const;
export type CanaryState = (typeof CANARY_STATES)[number];

/** Percent of the runs. */
export const canaryShare = z
  .int({ error: 'canary must be a percentage from 1 to 50' })
  .min(1, 'canary must be a percentage from 1 to 50')
  .max(50, 'canary must be a percentage from 1 to 50');

/** PUT /admin/projects/:id/bots/:botId/canary: a version that is there is tried, or its share is another. */
const canaryVersion = z.int({ error: 'version must be the number of a version' }).min(1).max(2_147_483_647);

export const canaryRequest = z.strictObject({
  version: canaryVersion,
  share: canaryShare,
  force: z.boolean('force must be true or false').default(false),
});

/** POST …/canary/promote. `version`: the one that the caller knows to be tried. `force`: samples that are not as expected are known. */
export const canaryPromotion = z
  .strictObject({ version: canaryVersion.optional(), force: z.boolean('force must be true or false').default(false) })
  .default({ force: false });
export type CanaryPromotion = z.output<typeof canaryPromotion>;

/** DELETE …/canary: the version that the caller knows to be tried. */
export const canaryWithdrawal = z.strictObject({
  version: z.coerce.number({ error: 'version must be the number of a version' }).pipe(canaryVersion).optional(),
});

export type CanaryRequest = z.output<typeof canaryRequest>;

export type Tally = { runs: number; failed: number };
/**
 * Of the newest 5,000 runs of the bot since the trial began. `failedInRow`: of the new version, up to now; `meanwhile`: of the live one, since the new one
 * last did well.
 */
export type CanaryFigures = { canary: Tally & { failedInRow: number }; live: Tally; meanwhile?: Tally };

/** GET /admin/projects/{id}/bots/{id}/canary: the trial that is on, or the last one; null where there was none. */
export type Canary = {
  version: number;
  share: number;
  state: CanaryState;
  author: { reference: string; display: string | null } | null;
  startedAt: string;
  endedAt: string | null;
  endedBy: { reference: string; display: string | null } | null;
  figures: CanaryFigures;
};
export type CanaryAnswer = { canary: Canary | null };
