import { z } from 'zod';
import { countParam, cursorParam } from '../requests/page.ts';

/** An event for a bot that was given up. Times are instants. */
export type DeadLetter = {
  id: string;
  bot: { reference: string } | null;
  trigger: string;
  /** What it is about, by its name: a version of a resource, a time, a message. */
  event: string;
  subscription: { reference: string } | null;
  attempts: number;
  firstFailedAt: string;
  lastFailedAt: string;
  message: string;
  /** The same of failures that are alike: that of the runs it failed with, by which these are a group of errors. */
  fingerprint: string;
};

/**
 * GET /admin/projects/{id}/dead-letters, last failed first; `next` is the cursor of the page after this one. `waiting`: events and deliveries of the
 * project that wait to be run, counted up to 10,000; `waitingUntil`, where none of them may run before.
 */
export type DeadLetterPage = {
  rows: DeadLetter[];
  next: string | null;
  waiting: number;
  waitingUntil: string | null;
};

/** Those of a bot and a trigger that failed alike. `message`: of one of them. */
export type DeadLetterGroup = {
  fingerprint: string;
  bot: { reference: string; display: string | null } | null;
  trigger: string;
  count: number;
  firstFailedAt: string;
  lastFailedAt: string;
  message: string;
};

/** GET …/dead-letters/groups, last failed first. `more`: there are further groups than these hundred. */
export type DeadLetterGroups = {
  rows: DeadLetterGroup[];
  more: boolean;
  waiting: number;
  waitingUntil: string | null;
};

/** What came of a replay, or of dropping some: `more`, when as many as go at once are not all. */
export type DeadLettersDone = { count: number; more: boolean };

/** What an event comes by. */
const EVENT_TRIGGERS = ['subscription', 'cron', 'hl7', 'mail', 'webhook'] as const;

/** Of one request. */
export const MOST_AT_ONCE = 1000;

const which = {
  bot: z.uuid('bot is the id of a bot').optional(),
  trigger: z.enum(EVENT_TRIGGERS).optional(),
  fingerprint: z.string().max(64).optional(),
};

export const deadLettersQuery = z.strictObject({ ...which, _count: countParam(), cursor: cursorParam });
export type DeadLettersQuery = z.output<typeof deadLettersQuery>;

export const deadLetterGroupsQuery = z.strictObject({ bot: which.bot, fingerprint: which.fingerprint });
export type DeadLetterGroupsQuery = z.output<typeof deadLetterGroupsQuery>;

/** POST …/dead-letters/replay and …/drop: those of these ids, or all that fit. */
export const deadLettersRequest = z
  .strictObject({
    ids: z.array(z.uuid('an id is a UUID')).min(1).max(MOST_AT_ONCE).optional(),
    all: z.strictObject(which).optional(),
  })
  .refine(({ ids, all }) => (ids === undefined) !== (all === undefined), {
    error: 'Give either ids or all',
    path: ['ids'],
  });
export type DeadLettersRequest = z.output<typeof deadLettersRequest>;
