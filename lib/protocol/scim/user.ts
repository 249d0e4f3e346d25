import { z } from 'zod';
import { AppError } from '#lib/base/errors.ts';
import { plainName } from '../requests/plain-name.ts';
import { toIssues } from '../zod-issues.ts';
import { keepKnown } from './attributes.ts';
import { USER_SCHEMA } from './urns.ts';

/** Entra sends booleans as text. */
const flag = z.preprocess(
  (value) => (typeof value === 'string' ? ({ true: true, false: false }[value.toLowerCase()] ?? value) : value),
  z.boolean({ error: 'must be true or false' }),
);

const MOST_CONTACTS = 20;
const text = (name: string, max = 128) => plainName(`${name} must not be empty`, max);

function contacts(value: z.ZodType<string>) {
  const contact = z.object({
    value,
    type: text('type', 32).toLowerCase().nullish(),
    primary: flag.nullish(),
  });
  return z.array(contact).max(MOST_CONTACTS, `At most ${MOST_CONTACTS}`);
}

const email = z
  .string({ error: 'value must be an e-mail address' })
  .trim()
  .max(254, 'value must be at most 254 characters')
  .pipe(z.email({ error: 'value must be an e-mail address' }));

/** What a member's record can be. A RelatedPerson needs a patient, of which a directory knows nothing. */
export const USER_TYPES = ['Practitioner', 'Patient', 'RelatedPerson'] as const;

/** Directories send empty text for what is not there. */
export const orNone = <T>(schema: z.ZodType<T>) =>
  z.preprocess((value) => (value === null || value === '' ? undefined : value), schema.optional());

const name = z.object({
  formatted: orNone(text('formatted', 256)),
  familyName: orNone(text('familyName')),
  givenName: orNone(text('givenName')),
  middleName: orNone(text('middleName')),
  honorificPrefix: orNone(text('honorificPrefix')),
  honorificSuffix: orNone(text('honorificSuffix')),
});

const scimUser = z.object(
  {
    userName: plainName('userName is required', 256),
    externalId: orNone(text('externalId', 256)),
    name: orNone(name),
    displayName: orNone(text('displayName', 256)),
    userType: orNone(
      z
        .string()
        .transform((value) => USER_TYPES.find((type) => type.toLowerCase() === value.trim().toLowerCase()))
        .pipe(z.enum(USER_TYPES, { error: `userType must be ${USER_TYPES.join(', ')}` })),
    ),
    active: orNone(flag),
    emails: orNone(contacts(email)),
    phoneNumbers: orNone(contacts(text('value', 64))),
  },
  { error: 'The body must be a JSON object' },
);

/** What a directory says of a person (RFC 7643 §4.1). What is empty is not there. */
export type WantedUser = z.output<typeof scimUser>;
export type Contact = NonNullable<WantedUser['emails']>[number];

/** Throws 400 for a body that is no User, one issue a field. Attributes that are not kept are passed over (RFC 7644 §3.3). */
export function parseUser(body: unknown): WantedUser {
  const schemas = (body as { schemas?: unknown } | undefined)?.schemas;
  if (Array.isArray(schemas) && !schemas.includes(USER_SCHEMA)) {
    throw new AppError('structure', `schemas must have ${USER_SCHEMA}`, { expression: 'schemas' });
  }
  const result = scimUser.safeParse(keepKnown(body));
  if (result.success) return result.data;
  throw new AppError('invalid', 'Invalid User', { issues: toIssues(result.error) });
}

/** As it is told. `version` in `meta` is its ETag. */
export type ScimUser = {
  schemas: [typeof USER_SCHEMA];
  id: string;
  externalId?: string;
  userName: string;
  name?: NonNullable<WantedUser['name']>;
  displayName?: string;
  userType: string;
  active: boolean;
  emails?: Contact[];
  phoneNumbers?: Contact[];
  /** Read only: a group says who is in it. */
  groups?: { value: string; $ref: string; display: string; type: 'direct' }[];
  meta: { resourceType: 'User'; created?: string; lastModified: string; location: string; version: string };
};
