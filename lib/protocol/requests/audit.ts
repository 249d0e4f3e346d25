import { z } from 'zod';
import { isStorable } from '../cursor.ts';
import { countParam, cursorParam } from './page.ts';

const reference = (name: string) =>
  z.string().regex(/^[A-Za-z]+\/[A-Za-z0-9\-.]{1,64}$/, `${name} must be a reference like Practitioner/123`);
export const instant = (name: string) =>
  z.iso
    .datetime({ offset: true, error: `${name} must be an instant like 2026-01-31T00:00:00Z` })
    .transform((text) => new Date(text))
    .refine(isStorable, `${name} must be an instant like 2026-01-31T00:00:00Z`);

const MOST_TARGETS = 5;
const TARGETS = /^[A-Za-z]+(\/[A-Za-z0-9\-.]{1,64})?(,[A-Za-z]+(\/[A-Za-z0-9\-.]{1,64})?)*$/;

/** `target`: references or types, at most MOST_TARGETS, separated by commas. `action`: names, or everything below one (`membership.*`), separated by commas. */
const filters = {
  actor: reference('actor').optional(),
  target: z
    .string()
    .regex(TARGETS, 'target must be types or references, separated by commas')
    .transform((text) => text.split(','))
    .refine((targets) => targets.length <= MOST_TARGETS, `target must name at most ${MOST_TARGETS}`)
    .optional(),
  action: z
    .string()
    .max(500)
    .regex(/^[a-z][\w.-]*(\.\*)?(,[a-z][\w.-]*(\.\*)?)*$/, 'action must be names like invite.revoke or invite.*')
    .optional(),
  outcome: z.enum(['success', 'failure'], { error: 'outcome must be success or failure' }).optional(),
  from: instant('from').optional(),
  to: instant('to').optional(),
};

/** GET /admin/projects/:id/audit. */
export const auditQuery = z.strictObject({ ...filters, _count: countParam(), cursor: cursorParam });
export type AuditQuery = z.output<typeof auditQuery>;

/** GET /admin/super/audit. `project`: of one that was removed, whose log is left. */
export const superAuditQuery = auditQuery.extend({ project: z.uuid('project must be an id').optional() });

const FORMATS = ['csv', 'ndjson'] as const;

/** GET /admin/projects/:id/audit/export: with the filters of the list, or the whole chain, of which nothing can be left out. */
export const auditExportQuery = z.discriminatedUnion(
  'format',
  [z.strictObject({ format: z.enum(FORMATS), ...filters }), z.strictObject({ format: z.literal('chain') })],
  { error: 'format must be one of csv, ndjson, chain' },
);
export type AuditExportQuery = Exclude<z.output<typeof auditExportQuery>, { format: 'chain' }>;

const DAY_MS = 24 * 3_600_000;
const MOST_DAYS = 31;
const MEMBERSHIP = /^[0-9a-f-]{36}$/;

/** GET /admin/projects/:id/access-as-of. `from`: since when reads are told, a day before `at` unless it is given. */
export const accessAsOfQuery = z
  .strictObject({
    resource: z
      .string()
      .regex(/^[A-Z][A-Za-z]{1,63}\/[A-Za-z0-9\-.]{1,64}$/, 'resource must be a reference like Patient/123'),
    at: instant('at'),
    from: instant('from').optional(),
    _count: countParam(),
    cursor: z.string().regex(MEMBERSHIP, 'cursor must be the `next` of an earlier answer').optional(),
  })
  .transform((query) => ({ ...query, from: query.from ?? new Date(query.at.getTime() - DAY_MS) }))
  .refine(({ at }) => at.getTime() <= Date.now(), { path: ['at'], error: 'at must not lie in the future' })
  .refine(({ at, from }) => from < at && at.getTime() - from.getTime() <= MOST_DAYS * DAY_MS, {
    path: ['from'],
    error: `from must lie before at, by ${MOST_DAYS} days at most`,
  })
  .refine(({ from }) => isStorable(from), { path: ['at'], error: 'at must be an instant like 2026-01-31T00:00:00Z' });
export type AccessAsOfQuery = z.output<typeof accessAsOfQuery>;

/** GET /admin/projects/:id/audit/heads. */
export const headsQuery = z.strictObject({ _count: countParam() });
