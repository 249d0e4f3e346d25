import { z } from 'zod';
import { isStorable } from '../cursor.ts';
import { countParam, cursorParam } from './page.ts';

const reference = (name: string) =>
  z.string().regex(/^[A-Za-z]+\/[A-Za-z0-9\-.]{1,64}$/, `${name} must be a reference like Practitioner/123`);
const instant = (name: string) =>
  z.iso
    .datetime({ offset: true, error: `${name} must be an instant like 2026-01-31T00:00:00Z` })
    .transform((text) => new Date(text))
    .refine(isStorable, `${name} must be an instant like 2026-01-31T00:00:00Z`);

const MOST_TARGETS = 5;
const TARGETS = /^[A-Za-z]+(\/[A-Za-z0-9\-.]{1,64})?(,[A-Za-z]+(\/[A-Za-z0-9\-.]{1,64})?)*$/;

/** GET /admin/projects/:id/audit. `target`: references or types, at most MOST_TARGETS, separated by commas. `action`: names, or everything below one (`membership.*`), separated by commas. */
export const auditQuery = z.strictObject({
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
  _count: countParam(),
  cursor: cursorParam,
});
export type AuditQuery = z.output<typeof auditQuery>;
