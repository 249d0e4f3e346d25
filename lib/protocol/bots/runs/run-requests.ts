import { z } from 'zod';
import { isStorable } from '../../cursor.ts';
import { countParam, cursorParam } from '../../requests/page.ts';
import { RUN_STATES } from '../bots.ts';
import { TRIGGER_NAMES } from '../triggers.ts';

const MOST_INPUT = 512 * 1024;

const uuid = (name: string) => z.uuid(`${name} must be an id`).toLowerCase();
const instant = (name: string) =>
  z.iso
    .datetime({ offset: true, error: `${name} must be an instant, as 2026-01-31T12:00:00Z` })
    .transform((text) => new Date(text))
    .refine(isStorable, `${name} must be an instant`);
const version = (text: string) => z.coerce.number(text).int(text).min(1, text).max(2_147_483_647, text);
const oneOf = <T extends string>(name: string, values: readonly T[]) =>
  z.enum(values as [T, ...T[]], { error: `${name} must be one of ${values.join(', ')}` });

/** Which runs of a project. */
const runFilter = {
  bot: uuid('bot').optional(),
  version: version('version must be the number of a version').optional(),
  /** `failing`: whatever is not ok. */
  status: oneOf('status', [...RUN_STATES, 'failing']).optional(),
  trigger: oneOf('trigger', TRIGGER_NAMES).optional(),
  fingerprint: z
    .string()
    .regex(/^[0-9a-f]{16}$/, 'fingerprint must be that of a run')
    .optional(),
  replayOf: uuid('replayOf').optional(),
  since: instant('since').optional(),
  until: instant('until').optional(),
};

/** GET /admin/projects/:id/runs */
export const projectRunsQuery = z.strictObject({ ...runFilter, _count: countParam(), cursor: cursorParam });
export type ProjectRunsQuery = z.output<typeof projectRunsQuery> & { text?: string };

/** POST /admin/projects/:id/runs/search: the same with a text that the input holds. It may be somebody's name, which is no part of an address. */
export const searchRunsRequest = z.strictObject({
  ...runFilter,
  text: z.string({ error: 'text is required' }).trim().min(2, 'text must have at least 2 characters').max(200),
  _count: z.int().min(1).max(200).default(50),
  cursor: cursorParam,
});

/** POST /admin/projects/:id/runs/:runId/reveal, and …/hl7-feeds/:feedId/messages/:messageId/reveal */
export const revealRequest = z.strictObject({
  reason: z.string({ error: 'Say why' }).trim().min(1, 'Say why').max(500, 'reason must be at most 500 characters'),
});
export type RevealRequest = z.output<typeof revealRequest>;

const wantedVersion = z.union(
  [z.literal('same'), z.literal('live'), z.int().min(1).max(2_147_483_647)],
  'version must be same, live, or the number of a version',
);

/** POST /admin/projects/:id/runs/:runId/replay: with the input of the run, or with this one, of the same kind. */
export const replayRunRequest = z.strictObject({
  version: wantedVersion.default('live'),
  input: z
    .string({ error: 'input must be a text' })
    .max(MOST_INPUT, `input must be at most ${MOST_INPUT} characters`)
    .optional(),
});
export type ReplayRunRequest = z.output<typeof replayRunRequest>;

/** POST /admin/projects/:id/runs/replay: those of a kind, the newest of them, or these; so many at most, in the order in which they ran. */
export const replayRunsRequest = z
  .strictObject({
    filter: z
      .strictObject(runFilter)
      .refine(
        (filter) => filter.bot !== undefined || filter.fingerprint !== undefined,
        'filter must name a bot or a fingerprint',
      )
      .optional(),
    runs: z.array(uuid('runs')).min(1, 'runs must have at least one').max(500, 'runs must have at most 500').optional(),
    version: z.union([z.literal('same'), z.literal('live')], 'version must be same or live').default('live'),
    limit: z.int().min(1).max(500, 'limit must be at most 500').default(100),
  })
  .refine(({ filter, runs }) => filter !== undefined || runs !== undefined, {
    error: 'filter is required, or runs',
    path: ['filter'],
  })
  .refine(({ filter, runs }) => filter === undefined || runs === undefined, {
    error: 'runs may not stand beside filter',
    path: ['runs'],
  });
export type ReplayRunsRequest = z.output<typeof replayRunsRequest>;
