/** What makes a bot run, and what it is called. */
export const TRIGGERS = {
  http: 'HTTP call',
  webhook: 'Webhook',
  subscription: 'Subscription',
  cron: 'Schedule',
  hl7: 'HL7 v2 feed',
  mail: 'Mail bounce',
  replay: 'Replay',
} as const;

export type Trigger = keyof typeof TRIGGERS;
export const TRIGGER_NAMES = Object.keys(TRIGGERS) as Trigger[];
