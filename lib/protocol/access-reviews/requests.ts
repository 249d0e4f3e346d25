import { z } from 'zod';
import { countParam, cursorParam } from '../requests/page.ts';
import { plainName } from '../requests/plain-name.ts';

export const REVIEW_STATES = ['open', 'closing', 'closed', 'cancelled'] as const;
export const REVIEW_DECISIONS = ['keep', 'reduce', 'remove'] as const;
export const REVIEW_PROFILES = ['Practitioner', 'Patient', 'RelatedPerson', 'ClientApplication', 'Bot'] as const;

const MOST_REVIEWERS = 20;
/** Of one request. */
const MOST_DECISIONS = 100;
const MOST_DAYS = 366;
const DAY_MS = 86_400_000;
/** As a membership may have. */
const MOST_ENTRIES = 1000;

const membership = z.uuid({ error: 'must be the id of a membership' });
const policy = z
  .string({ error: 'must be a reference like AccessPolicy/<id>' })
  .regex(/^AccessPolicy\/[A-Za-z0-9.-]{1,64}$/, 'must be a reference like AccessPolicy/<id>');

/** POST /admin/projects/{id}/access-reviews. `policy`, `profileType`: of whom; neither: of all who are active. */
export const accessReviewRequest = z.strictObject({
  name: plainName('name is required'),
  dueAt: z.iso
    .datetime({ offset: true, error: 'dueAt must be an instant' })
    .refine((text) => Date.parse(text) > Date.now(), 'dueAt must be in the future')
    .refine((text) => Date.parse(text) < Date.now() + MOST_DAYS * DAY_MS, `dueAt must be within ${MOST_DAYS} days`),
  reviewers: z
    .array(membership, { error: 'reviewers must be a list of ids of memberships' })
    .min(1, 'reviewers must name at least one')
    .max(MOST_REVIEWERS, `reviewers must name at most ${MOST_REVIEWERS}`)
    .refine((ids) => new Set(ids.map((id) => id.toLowerCase())).size === ids.length, 'reviewers must differ'),
  policy: policy.optional(),
  profileType: z.enum(REVIEW_PROFILES, { error: `profileType must be ${REVIEW_PROFILES.join(', ')}` }).optional(),
});
export type AccessReviewRequest = z.output<typeof accessReviewRequest>;

export const accessReviewsQuery = z.strictObject({ _count: countParam(), cursor: cursorParam });
export type AccessReviewsQuery = z.output<typeof accessReviewsQuery>;

const FILTERS = ['open', ...REVIEW_DECISIONS] as const;

/** GET …/rows. `decision`: those of it, or `open` for those without one. `cursor`: the `next` of the page before. */
export const reviewRowsQuery = z.strictObject({
  _count: countParam(),
  cursor: z
    .string()
    .regex(/^\d{1,9}$/, 'cursor must be the `next` of an earlier answer')
    .transform(Number)
    .optional(),
  decision: z.enum(FILTERS, { error: `decision must be ${FILTERS.join(', ')}` }).optional(),
});
export type ReviewRowsQuery = z.output<typeof reviewRowsQuery>;

const common = {
  membership,
  /** The version of the membership that was looked at: 412 when it is another by now. */
  version: z.int('version must be a whole number').min(1).optional(),
  note: plainName('note must not be empty', 500).optional(),
};

/** What is left of a member's access: another policy, and of the entries those at these places, from 0. */
const reduced = z.strictObject({
  ...common,
  decision: z.literal('reduce'),
  accessPolicy: policy.nullable().optional(),
  keepAccess: z.array(z.int('must be the place of an entry').min(0).max(MOST_ENTRIES)).max(MOST_ENTRIES).optional(),
});
const plain = z.strictObject({ ...common, decision: z.enum(['keep', 'remove']) });

/** POST …/decisions: all of them, or none. */
export const decisionsRequest = z.strictObject({
  decisions: z
    .array(
      z.discriminatedUnion('decision', [reduced, plain], {
        error: `decision must be ${REVIEW_DECISIONS.join(', ')}`,
      }),
      { error: 'decisions must be a list' },
    )
    .min(1, 'decisions must hold at least one')
    .max(MOST_DECISIONS, `decisions must hold at most ${MOST_DECISIONS}`)
    .refine(
      (all) => new Set(all.map((one) => one.membership.toLowerCase())).size === all.length,
      'decisions must be about different members',
    ),
});
export type Decision = z.output<typeof decisionsRequest>['decisions'][number];

/** POST …/close. `leaveUndecided`: that some are undecided is meant; they stay as they are. */
export const closeReviewRequest = z.strictObject({
  leaveUndecided: z.boolean({ error: 'leaveUndecided must be true or false' }).default(false),
});
export type CloseReviewRequest = z.output<typeof closeReviewRequest>;
