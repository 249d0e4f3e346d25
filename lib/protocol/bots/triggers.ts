/** What makes a bot run, and what it is called. */
export const TRIGGERS = {
  http: 'HTTP call',
  webhook: 'Webhook',
  subscription: 'Subscription',
  replay: 'Replay',
} as const;

export type Trigger = keyof typeof TRIGGERS;
export const TRIGGER_NAMES = Object.keys(TRIGGERS) as Trigger[];
