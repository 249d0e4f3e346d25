import { z } from 'zod';
import { isResourceType } from '../fhir/type-ids.ts';
import { countParam, cursorParam } from '../requests/page.ts';
import { plainName } from '../requests/plain-name.ts';

export const REQUEST_STATES = ['open', 'granted', 'refused', 'withdrawn', 'lapsed', 'ended'] as const;
const ASKED_INTERACTIONS = ['read', 'search', 'create', 'update', 'delete', 'history', 'vread'] as const;

const MOST_REASON = 500;
const MOST_GRANT_DAYS = 366;
const DAY_MS = 86_400_000;
const MOST_PARAMETERS = 100;

const reason = plainName('reason is required', MOST_REASON);

/**
 * POST /auth/me/access-requests. `decision`: the id of one’s own refusal of the last seven days (`X-Gatehouse-Decision`); or what of which type.
 */
export const accessRequestRequest = z
  .strictObject({
    decision: z.guid({ error: 'decision must be the id of a refusal' }).optional(),
    resourceType: z
      .string({ error: 'resourceType must be a type' })
      .refine(isResourceType, 'resourceType is no type')
      .optional(),
    interaction: z
      .enum(ASKED_INTERACTIONS, { error: `interaction must be ${ASKED_INTERACTIONS.join(', ')}` })
      .optional(),
    reason,
  })
  .superRefine(({ decision, resourceType, interaction }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (decision !== undefined && (resourceType ?? interaction) !== undefined)
      refuse('decision', 'decision says what was refused: leave out resourceType and interaction');
    else if (decision === undefined && resourceType === undefined && interaction === undefined)
      refuse('decision', 'decision is required, or resourceType and interaction');
    else if (decision === undefined && resourceType === undefined) refuse('resourceType', 'resourceType is required');
    else if (decision === undefined && interaction === undefined) refuse('interaction', 'interaction is required');
  });
export type AccessRequestRequest = z.output<typeof accessRequestRequest>;

/** GET /auth/me/access-requests. */
export const ownRequestsQuery = z.strictObject({ _count: countParam(), cursor: cursorParam });
export type OwnRequestsQuery = z.output<typeof ownRequestsQuery>;

/** GET /admin/projects/{id}/access-requests. */
export const accessRequestsQuery = z.strictObject({
  _count: countParam(),
  cursor: cursorParam,
  state: z.enum(REQUEST_STATES, { error: `state must be ${REQUEST_STATES.join(', ')}` }).optional(),
});
export type AccessRequestsQuery = z.output<typeof accessRequestsQuery>;

const name = z.string({ error: 'name is required' }).min(1, 'name is required').max(64, 'name is too long');
const parameter = z.union(
  [
    z.strictObject({ name, valueString: z.string().min(1).max(1000) }),
    z.strictObject({ name, valueReference: z.strictObject({ reference: z.string().min(1).max(200) }) }),
  ],
  { error: 'parameter must have a name, and valueString or valueReference' },
);

/** POST …/grant: an entry of `access` until an instant. */
export const grantRequest = z.strictObject({
  policy: z
    .string({ error: 'policy must be a reference like AccessPolicy/<id>' })
    .regex(/^AccessPolicy\/[A-Za-z0-9.-]{1,64}$/, 'policy must be a reference like AccessPolicy/<id>'),
  parameter: z
    .array(parameter, { error: 'parameter must be a list' })
    .max(MOST_PARAMETERS, `at most ${MOST_PARAMETERS} parameters`)
    .optional(),
  until: z.iso
    .datetime({ offset: true, error: 'until must be an instant' })
    .refine((text) => Date.parse(text) > Date.now(), 'until must be in the future')
    .refine(
      (text) => Date.parse(text) < Date.now() + MOST_GRANT_DAYS * DAY_MS,
      `until must be within ${MOST_GRANT_DAYS} days`,
    ),
  answer: plainName('answer must not be empty', MOST_REASON).optional(),
});
export type GrantRequest = z.output<typeof grantRequest>;

/** POST …/refuse: `answer` is told to who asked. */
export const refuseRequest = z.strictObject({ answer: plainName('answer is required', MOST_REASON) });
export type RefuseRequest = z.output<typeof refuseRequest>;
