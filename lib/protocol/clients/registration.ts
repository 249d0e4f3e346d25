import { z } from 'zod';
import type { Project } from '../fhir/types.ts';
import { SCOPE } from '../requests/auth.ts';
import { plainName } from '../requests/plain-name.ts';
import type { Grant } from './bounds.ts';

/** Setting of a project in which apps register themselves with a token of an administrator. Off unless it says so. */
export const APP_REGISTRATION = 'appRegistration';

export function isOpenToApps({ setting = [] }: Pick<Project, 'setting'>): boolean {
  return setting.some(({ name, valueBoolean }) => name === APP_REGISTRATION && valueBoolean === true);
}

const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code';
/** An app that has registered itself signs people in. Whatever acts for itself is given its access by an administrator. */
const REGISTRABLE_GRANTS = ['authorization_code', 'refresh_token', DEVICE] as const satisfies readonly Grant[];
const MOST_URIS = 20;
const MOST_LENGTH = 2048;

const text = z.string().max(MOST_LENGTH, `At most ${MOST_LENGTH} characters`);
/** What would be believed, and is not done here. */
const notHere = z.never({ error: 'is not supported' }).optional();
const offHere = z.literal(false, { error: 'is not supported' }).optional();

/** The body of RFC 7591 §2 and OpenID Connect Registration §2, as far as anything here depends on it. What else it says is not kept, and not told. */
export const clientMetadata = z
  .object(
    {
      redirect_uris: z
        .array(text.superRefine(checkRedirect), { error: 'must be a list' })
        .max(MOST_URIS, `At most ${MOST_URIS}`)
        .optional(),
      token_endpoint_auth_method: z
        .enum(['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'])
        .default('client_secret_basic'),
      grant_types: z
        .array(z.enum(REGISTRABLE_GRANTS, { error: `can be ${REGISTRABLE_GRANTS.join(', ')}` }))
        .max(REGISTRABLE_GRANTS.length)
        .default(['authorization_code']),
      response_types: z
        .array(z.literal('code', { error: 'can be code' }))
        .max(1)
        .optional(),
      client_name: plainName('must not be empty', 128).default('An app without a name'),
      scope: text.regex(SCOPE, 'must be a space-separated list of names').optional(),
      jwks_uri: text.optional(),
      jwks: z.never({ error: 'is not supported: give a jwks_uri' }).optional(),
      subject_type: z.literal('public', { error: 'can be public' }).optional(),
      id_token_signed_response_alg: z.enum(['RS256', 'ES256']).default('RS256'),
      id_token_encrypted_response_alg: notHere,
      userinfo_signed_response_alg: notHere,
      userinfo_encrypted_response_alg: notHere,
      introspection_signed_response_alg: notHere,
      authorization_signed_response_alg: notHere,
      request_object_signing_alg: notHere,
      sector_identifier_uri: notHere,
      require_signed_request_object: offHere,
      require_pushed_authorization_requests: offHere,
      dpop_bound_access_tokens: offHere,
      tls_client_certificate_bound_access_tokens: offHere,
      backchannel_logout_uri: notHere,
      frontchannel_logout_uri: notHere,
    },
    { error: 'The body must be a JSON object' },
  )
  .superRefine(checkTogether);
export type ClientMetadata = z.output<typeof clientMetadata>;

function checkTogether(given: ClientMetadata, context: z.RefinementCtx): void {
  const refuse = (name: string, message: string) => context.addIssue({ code: 'custom', path: [name], message });
  const { grant_types: grants, token_endpoint_auth_method: method } = given;
  const signsIn = grants.includes('authorization_code');
  if (signsIn && !given.redirect_uris?.length) refuse('redirect_uris', 'is missing');
  if (!signsIn && !grants.includes(DEVICE)) refuse('grant_types', `must have authorization_code or ${DEVICE}`);
  if (given.response_types && given.response_types.includes('code') !== signsIn)
    refuse('response_types', 'does not fit grant_types');
  if (method === 'private_key_jwt' && !given.jwks_uri) refuse('jwks_uri', 'is missing for private_key_jwt');
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Exactly where a browser is sent: https, an app's own scheme by its domain (RFC 8252 §7.1), or http on the person's own machine (§7.3). */
function checkRedirect(uri: string, context: z.RefinementCtx): void {
  const url = URL.parse(uri);
  const isOwnScheme = url?.protocol.includes('.');
  const isGood =
    url !== null &&
    !/[#*\s\\]/.test(uri) &&
    url.username === '' &&
    url.password === '' &&
    (url.protocol === 'https:' || isOwnScheme || (url.protocol === 'http:' && LOOPBACK.has(url.hostname)));
  if (isGood) return;
  const message =
    'must be an https address, a scheme named by a domain, or http on localhost, without a fragment or wildcard';
  context.addIssue({ code: 'custom', message });
}

const DAYS = 365;
const MOST_APPS = 1000;

/** POST /admin/projects/{id}/registrationtokens. */
export const newRegistrationToken = z.strictObject(
  {
    name: plainName('Name the token', 80, 'At most 80 characters'),
    days: z
      .number({ error: 'days must be a number' })
      .int('days must be a whole number')
      .min(1, 'At least one day')
      .max(DAYS, `At most ${DAYS} days`)
      .default(7),
    most: z
      .number({ error: 'most must be a number' })
      .int('most must be a whole number')
      .min(1, 'At least one app')
      .max(MOST_APPS, `At most ${MOST_APPS} apps`)
      .default(1),
  },
  { error: 'The body must be a JSON object' },
);
export type NewRegistrationToken = z.output<typeof newRegistrationToken>;
