import { z } from 'zod';
import { IDEMPOTENCY_KEY } from './idempotency-key.ts';
import { inviteRequest } from './invite-member.ts';

export const MEMBER_JOBS = ['deactivate', 'reactivate', 'remove', 'promote', 'demote', 'resend'] as const;
export type MemberJob = (typeof MEMBER_JOBS)[number];

export const MOST_ROWS = 5000;
export const MOST_MEMBERS = 20_000;
const MOST_IN_BATCH = 100;
/** Room for the most rows of the longest kind that people send. */
export const BULK_BODY_LIMIT = 16 * 1024 * 1024;

const idempotencyKey = z
  .string()
  .regex(IDEMPOTENCY_KEY, 'idempotencyKey must be 1 to 255 visible ASCII characters')
  .optional();
const rowsOf = <T extends z.ZodType>(row: T) =>
  z
    .array(row, { error: 'rows must be a list of invites' })
    .min(1, 'rows must hold at least one invite')
    .max(MOST_ROWS, `rows must hold at most ${MOST_ROWS} invites`);

/** A job keeps its input until it runs, and its result for weeks: nothing secret goes in or comes out. */
const queuedInvite = inviteRequest.check((context) => {
  const { password, returnLink } = context.value;
  const refuse = (path: string, message: string) =>
    context.issues.push({ code: 'custom', input: context.value, path: [path], message });
  if (password !== undefined) refuse('password', 'An invite in a job takes no password: the person chooses one');
  if (returnLink) refuse('returnLink', 'A job returns no links: make them one by one afterwards');
});

/** What the result calls each row when those sent are a part of a longer list: rising numbers, as many as rows. */
const numbers = z
  .array(z.int('must be a whole number').min(1).max(1_000_000))
  .max(MOST_ROWS)
  .refine((list) => list.every((number, at) => at === 0 || number > list[at - 1]!), 'numbers must rise')
  .optional();

const inviteJob = z
  .strictObject({ kind: z.literal('invite'), rows: rowsOf(queuedInvite), numbers, idempotencyKey })
  .refine(({ rows, numbers: given }) => !given || given.length === rows.length, {
    path: ['numbers'],
    error: 'numbers must be as many as rows',
  });
const memberJob = z
  .strictObject({
    kind: z.enum(MEMBER_JOBS),
    members: z
      .array(z.uuid({ error: 'must be the id of a membership' }))
      .min(1, 'members must name at least one')
      .max(MOST_MEMBERS, `members must name at most ${MOST_MEMBERS}`)
      .optional(),
    /** A search for ProjectMembership, as in the query of its URL: all that match now. */
    search: z.string().max(4096).optional(),
    idempotencyKey,
  })
  .refine(({ members, search }) => (members === undefined) !== (search === undefined), {
    path: ['members'],
    error: 'Give either members or search',
  });

/** POST /admin/projects/:id/jobs */
export const bulkJobRequest = z.discriminatedUnion('kind', [inviteJob, memberJob], {
  error: `kind must be invite, ${MEMBER_JOBS.join(', ')}`,
});
export type BulkJobRequest = z.output<typeof bulkJobRequest>;

/** POST /admin/projects/:id/invite/preflight: what is wrong in a row is the answer, not an error. */
export const preflightRequest = z.strictObject({ rows: rowsOf(z.unknown()) });

/** POST /admin/projects/:id/invite/batch */
export const batchRequest = z
  .array(z.unknown(), { error: 'The body must be a list of invites' })
  .min(1, 'The list is empty')
  .max(MOST_IN_BATCH, `At most ${MOST_IN_BATCH} invites at once; make a job of more`);

export const batchQuery = z.strictObject({
  dryRun: z
    .enum(['true', 'false'], { error: 'dryRun must be true or false' })
    .transform((value) => value === 'true')
    .default(false),
});
