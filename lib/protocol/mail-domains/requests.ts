import { z } from 'zod';
import { isDomainName, isPublicMail } from './domain-name.ts';

const error = 'The body must be a JSON object';
const NAME = 'domain must be a name like example.com';

/** POST /admin/projects/{id}/domains. */
export const newMailDomain = z.strictObject(
  {
    domain: z
      .string({ error: 'domain is required' })
      .max(253, NAME)
      .transform((text) => text.trim().toLowerCase())
      .refine(isDomainName, NAME)
      .refine((domain) => !isPublicMail(domain), 'Anybody may have a mailbox at this domain: no project speaks for it'),
  },
  { error },
);

const address = z.string().max(2048);
const word = z.string().min(1).max(512);
const words = z.array(z.string().min(1).max(255)).min(1).max(20);

/** Of an IdentityProvider what a domain's can say: it names people by their address. */
const domainProvider = z.strictObject({
  issuer: address.optional(),
  jwksUrl: address.optional(),
  authorizeUrl: address,
  tokenUrl: address,
  userInfoUrl: address.optional(),
  clientId: word,
  clientSecret: z.string().min(1).max(4096).optional(),
  tokenAuthMethod: z.enum(['client_secret_basic', 'client_secret_post']).optional(),
  usePkce: z.boolean().optional(),
  acrValues: word.optional(),
  maxAge: z.int('maxAge must be a whole number of seconds').min(0).optional(),
  mfaAcr: words.optional(),
  mfaAmr: words.optional(),
});

/** As metadata of its provider may be long, and a hundred times what it is. */
const MOST_METADATA = 256 * 1024;
const attribute = z.string().min(1).max(512);

/** Who it is as its metadata says, or in parts; and where its answers have what we ask for. */
const samlProvider = z
  .strictObject({
    metadata: z.string().max(MOST_METADATA, `metadata can have ${MOST_METADATA} characters at most`).optional(),
    entityId: z.string().max(1024).optional(),
    ssoUrl: address.optional(),
    certificates: z.array(z.string().max(16_384)).max(10, 'There can be 10 certificates at most').optional(),
    emailAttribute: attribute.optional(),
    givenNameAttribute: attribute.optional(),
    familyNameAttribute: attribute.optional(),
  })
  .superRefine(({ metadata, ...parts }, context) => {
    for (const name of ['entityId', 'ssoUrl', 'certificates'] as const) {
      const isThere = parts[name] !== undefined;
      if (isThere && metadata !== undefined)
        context.addIssue({
          code: 'custom',
          path: [name],
          message: `${name} is what the metadata says: send one of both`,
        });
      if (!isThere && metadata === undefined)
        context.addIssue({ code: 'custom', path: [name], message: `${name} is required, or metadata that says it` });
    }
  });
export type SamlProviderEdit = z.output<typeof samlProvider>;

/** PATCH /admin/projects/{id}/domains/{domain}: what is not named stays; null takes the provider out. */
export const mailDomainEdit = z.strictObject(
  {
    identityProvider: domainProvider.nullable().optional(),
    samlProvider: samlProvider.nullable().optional(),
    enforced: z.boolean({ error: 'enforced must be true or false' }).optional(),
    joins: z
      .strictObject({
        profileType: z.enum(['Practitioner', 'Patient'], { error: 'profileType must be Practitioner or Patient' }),
        accessPolicy: z.object({
          reference: z
            .string({ error: 'accessPolicy must name a policy: without one they would see everything' })
            .max(100),
        }),
      })
      .nullable()
      .optional(),
  },
  { error },
);
export type MailDomainEdit = z.output<typeof mailDomainEdit>;

const field = z.string();

/** What the form of a provider asks: empty where it has none. The server looks at it as a whole. */
export const providerForm = z
  .object({
    issuer: field,
    authorizeUrl: field.min(1, 'Enter the address'),
    tokenUrl: field.min(1, 'Enter the address'),
    userInfoUrl: field,
    clientId: field.min(1, 'Enter the client ID'),
    clientSecret: field,
    acrValues: field,
    mfaAmr: field,
    mfaAcr: field,
    maxAge: field.regex(/^\d{0,8}$/, 'Enter a number of seconds'),
  })
  .refine(({ issuer, userInfoUrl }) => issuer || userInfoUrl, {
    path: ['issuer'],
    message: 'Enter the issuer, or a user info endpoint',
  });
