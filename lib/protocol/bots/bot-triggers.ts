/** What runs a bot by itself, beside who calls it. */
export const BOT_TRIGGERS = ['subscription', 'cron', 'webhook', 'hl7', 'mail'] as const;
export type BotTrigger = (typeof BOT_TRIGGERS)[number];
