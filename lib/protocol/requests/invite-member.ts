import { z } from 'zod';
import type { AccessEntry, Identifier, ProjectMembership, Reference } from '#lib/protocol/fhir/types.ts';
import { MAX_ACCESS } from '../fhir/identity/bounds.ts';
import { WAYS } from '../sign-in/ways.ts';
import { emailAddress } from './email-address.ts';
import { plainName } from './plain-name.ts';

/** The peer's documentation writes booleans as strings; both mean the same here. */
const flag = z
  .union([z.boolean(), z.enum(['true', 'false'])], { error: 'must be true or false' })
  .transform((value) => value === true || value === 'true');

/** What the FHIR validator checks afterwards, in full; here only that it is a reference at all. */
const reference = z.looseObject({ reference: z.string({ error: 'reference is required' }).min(1) });
const access = z.array(z.looseObject({ policy: reference })).max(MAX_ACCESS, `At most ${MAX_ACCESS} policies`);

const signInWays = z.array(z.enum(WAYS, { error: `must be one of ${WAYS.join(', ')}` })).max(WAYS.length);

/** Taken from a partial ProjectMembership; what a membership has besides is the server's to set, and ignored. */
const membership = z.strictObject({
  profile: reference.optional(),
  accessPolicy: reference.optional(),
  access: access.optional(),
  admin: flag.optional(),
  active: flag.optional(),
  userConfiguration: reference.optional(),
  userName: plainName('userName must not be empty').optional(),
  externalId: plainName('externalId must not be empty', 256).optional(),
  identifier: z.array(z.looseObject({})).optional(),
  signInWays: signInWays.optional(),
  period: z.looseObject({}).optional(),
  suspendedUntil: z.string({ error: 'suspendedUntil must be a date, or a date and time' }).optional(),
  ...Object.fromEntries(
    ['resourceType', 'id', 'meta', 'project', 'user', 'invitedBy'].map((key) => [key, z.unknown().optional()]),
  ),
});

/** POST /admin/projects/{id}/invite (contract §2.2). */
export const inviteRequest = z
  .strictObject(
    {
      resourceType: z.enum(['Patient', 'Practitioner', 'RelatedPerson'], {
        error: 'Resource type is required: Patient, Practitioner or RelatedPerson',
      }),
      firstName: plainName('First name is required'),
      lastName: plainName('Last name is required'),
      email: emailAddress().optional(),
      externalId: plainName('externalId must not be empty', 256).optional(),
      scope: z.enum(['project', 'server'], { error: 'scope must be project or server' }).optional(),
      password: z.string({ error: 'password must be a string' }).max(1024).optional(),
      sendEmail: flag.optional(),
      admin: flag.optional(),
      accessPolicy: reference.optional(),
      access: access.optional(),
      membership: membership.optional(),
      /** By which ways this member may sign in; else as the project says. */
      signInWays: signInWays.optional(),
      patient: reference.optional(),
      upsert: flag.default(false),
      forceNewMembership: flag.default(false),
      /** They enrol a second factor when they first sign in. */
      mfaRequired: flag.default(false),
      /** Answer the set-password link instead of mailing it. */
      returnLink: flag.default(false),
    },
    {
      error: (issue) => (issue.code === 'invalid_type' ? 'The body must be a JSON object' : undefined),
    },
  )
  .refine(hasAddress, { path: ['email'], error: 'Either email or externalId is required', when: isObject })
  .refine(mayReturnLink, { path: ['returnLink'], error: 'returnLink goes with sendEmail false' });
export type InviteRequest = z.output<typeof inviteRequest>;

/** Runs beside the field rules, so that one answer names everything that is wrong. */
function isObject({ value }: { value: unknown }): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasAddress(value: { email?: unknown; externalId?: unknown }): boolean {
  return value.email !== undefined || value.externalId !== undefined;
}

function mayReturnLink({
  returnLink,
  sendEmail,
  email,
}: {
  returnLink: boolean;
  sendEmail?: boolean;
  email?: string;
}): boolean {
  return !returnLink || sendEmail === false || email === undefined;
}

/** What of the new membership the inviter decides. Only fields that were given. */
export type MembershipTemplate = Partial<
  Pick<
    ProjectMembership,
    | 'accessPolicy'
    | 'access'
    | 'admin'
    | 'active'
    | 'userConfiguration'
    | 'userName'
    | 'externalId'
    | 'identifier'
    | 'signInWays'
    | 'period'
    | 'suspendedUntil'
  >
>;

/** `membership.x` wins over the older top-level `x`. Empty lists say nothing: an empty `access` must not read as "no limits". */
export function toTemplate(request: InviteRequest): MembershipTemplate {
  const { admin, accessPolicy, access, externalId, membership: given = {} } = request;
  const merged = {
    accessPolicy: (given.accessPolicy ?? accessPolicy) as Reference | undefined,
    access: (given.access ?? access) as AccessEntry[] | undefined,
    admin: given.admin ?? admin,
    active: given.active,
    userConfiguration: given.userConfiguration as Reference | undefined,
    userName: given.userName,
    externalId: given.externalId ?? externalId,
    signInWays: given.signInWays ?? request.signInWays,
    period: given.period as ProjectMembership['period'],
    suspendedUntil: given.suspendedUntil,
    identifier: given.identifier as Identifier[] | undefined,
  };
  const said = Object.entries(merged).filter(([, value]) => value !== undefined && !isEmptyList(value));
  return Object.fromEntries(said) as MembershipTemplate;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
