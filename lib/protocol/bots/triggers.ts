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

/** Those whose events we name ourselves: the key of a caller may be that of many. */
export const EVENT_TRIGGERS = ['subscription', 'cron', 'hl7', 'mail'] as const satisfies readonly Trigger[];

/** What runs a bot by itself, beside who calls it. */
export const BOT_TRIGGERS = ['subscription', 'cron', 'webhook', 'hl7', 'mail'] as const satisfies readonly Trigger[];
export type BotTrigger = (typeof BOT_TRIGGERS)[number];
