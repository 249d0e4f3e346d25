import { sql } from 'drizzle-orm';
import { CANCELLED } from '#lib/infra/sandbox/host/runs-in-flight.ts';
import { STOPPED } from '#lib/protocol/bots/runs/stopped.ts';

/** Those whose events we name ourselves: the key of a caller may be that of many. */
export const EVENT_TRIGGERS = ['subscription', 'cron', 'hl7', 'mail'] as const;
export const EVENT_NAMES = sql.raw(EVENT_TRIGGERS.map((name) => `'${name}'`).join(', '));

/** A run that was ended before its time says nothing of its version. */
export const isWhole = sql`version is not null and message is distinct from ${STOPPED} and message is distinct from ${CANCELLED}`;
