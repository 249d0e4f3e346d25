import { sql } from 'drizzle-orm';
import { CANCELLED } from '#lib/infra/sandbox/host/runs-in-flight.ts';
import { STOPPED } from '#lib/protocol/bots/runs/stopped.ts';
import { EVENT_TRIGGERS } from '#lib/protocol/bots/triggers.ts';

/** As a list of SQL. */
export const EVENT_NAMES = sql.raw(EVENT_TRIGGERS.map((name) => `'${name}'`).join(', '));

/** A run that was ended before its time says nothing of its version. */
export const isWhole = sql`version is not null and message is distinct from ${STOPPED} and message is distinct from ${CANCELLED}`;
