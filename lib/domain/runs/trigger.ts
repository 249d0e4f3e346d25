/** What a run was for, as its record says it. */
export type Trigger = 'http' | 'webhook' | 'subscription' | 'cron' | 'hl7';
