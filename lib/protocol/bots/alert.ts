import { z } from 'zod';

const whole = (name: string, least: number, most: number) => {
  const text = `${name} must be a whole number from ${least} to ${most}`;
  return z.int(text).min(least, text).max(most, text);
};

const settings = {
  /** So many percent of the runs of these hours failed, where there were at least so many. */
  failure: z
    .strictObject({
      percent: whole('percent', 1, 100),
      hours: whole('hours', 1, 24),
      minimum: whole('minimum', 1, 1_000_000),
    })
    .nullable()
    .default(null),
  /** For so many hours no run went well. */
  silentHours: whole('silentHours', 1, 720).nullable().default(null),
  /** Addresses of administrators; null: all of them. */
  recipients: z
    .array(z.email('recipients must be addresses').toLowerCase())
    .min(1, 'recipients must have at least one')
    .max(20, 'recipients must have at most 20')
    .nullable()
    .default(null),
};

/** PUT /admin/projects/:id/bots/:botId/alert: what is null is not looked at. `over`: what was set as the caller has seen it, 412 where that is otherwise by now. */
export const botAlertRequest = z
  .strictObject({ ...settings, over: z.strictObject(settings).optional() })
  .refine(({ failure, silentHours, recipients }) => recipients === null || failure !== null || silentHours !== null, {
    path: ['recipients'],
    error: 'recipients hear of nothing without failure or silentHours',
  });
export type BotAlertRequest = z.output<typeof botAlertRequest>;
export type AlertSettings = Omit<BotAlertRequest, 'over'>;

/** GET of the same. `failingSince`, `silentSince`: when it was told, until it is over. */
export type BotAlert = AlertSettings & { failingSince: string | null; silentSince: string | null };
