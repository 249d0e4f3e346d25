import { z } from 'zod';

/**
 * GET /admin/projects/{id}/bots/{id}/schedule: the next five times at which the bot runs by itself, as instants, and their zone; of what it says now, or
 * with `cron` or `timing` (and `zone`) as a bot would that said this.
 */
export type BotScheduleAnswer = {
  zone: string | null;
  next: string[];
  /** The last time that was fired or skipped. */
  lastAt: string | null;
  /** Why that one was skipped. */
  note: string | null;
  /** Times that passed while no server ran, or while an earlier one waited to be run, the last time that there were any: the bot was run once for all of them. */
  missed: { times: number; since: string } | null;
};

/** As far as `cronTiming` can be honoured (timing.ts says the rest). */
const timing = z.strictObject({
  repeat: z.strictObject({
    frequency: z.int().min(1).optional(),
    period: z.number().positive().optional(),
    periodUnit: z.enum(['min', 'h', 'd', 'wk']).optional(),
    dayOfWeek: z
      .array(z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']))
      .max(7)
      .optional(),
    timeOfDay: z.array(z.string().max(20)).max(200).optional(),
  }),
});

export const scheduleQuery = z
  .strictObject({
    cron: z.string().max(200).optional(),
    /** `cronTiming` as JSON. */
    timing: z.string().max(4000).transform(toJson).pipe(timing).optional(),
    zone: z.string().max(100).optional(),
  })
  .refine(({ cron, timing }) => cron === undefined || timing === undefined, 'Give either cron or timing');
export type ScheduleQuery = z.output<typeof scheduleQuery>;

function toJson(text: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'timing must be JSON' });
    return z.NEVER;
  }
}
