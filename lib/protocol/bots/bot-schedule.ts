import { z } from 'zod';

/**
 * GET /admin/projects/{id}/bots/{id}/schedule: the next five times at which the bot runs by itself, as instants, and their zone; of what it says now, or
 * with `cron` (and `zone`) as a bot would that said this.
 */
export type BotScheduleAnswer = {
  zone: string | null;
  next: string[];
  /** The last time that was fired or skipped. */
  lastAt: string | null;
  /** Why that one was skipped. */
  note: string | null;
  /** Times that passed while no server ran, the last time that there were any: the bot was run once for all of them. */
  missed: { times: number; since: string } | null;
};

export const scheduleQuery = z.strictObject({
  cron: z.string().max(200).optional(),
  zone: z.string().max(100).optional(),
});
export type ScheduleQuery = z.output<typeof scheduleQuery>;
