import { z } from 'zod';
import { emailAddress } from './email-address.ts';
import { plainName } from './plain-name.ts';
import { projectName } from './project-name.ts';

const MAX_TEXT = 1024;

const email = emailAddress('Email', 'Valid email address is required');
const text = z.string().max(MAX_TEXT);
/** A space-separated list of scope tokens (RFC 6749 §3.3). Apps ask for each type by itself, with queries; a token carries them all. */
export const SCOPE = /^[\x20\x21\x23-\x5b\x5d-\x7e]{0,4000}$/;
const password = z.string({ error: 'Password is required' }).max(MAX_TEXT);
const name = (label: string) => plainName(`${label} is required`, 128, `${label} must be at most 128 characters`);

/** PKCE, RFC 7636 §4.2 and 4.3. */
const pkce = {
  codeChallenge: text.regex(/^[\w~.-]{43,128}$/, 'codeChallenge must be 43 to 128 URL-safe characters').optional(),
  codeChallengeMethod: z.enum(['plain', 'S256']).optional(),
};

/** The peer's client sends what it does not have as an empty string. */
const filled = text.transform((value) => value || undefined).optional();

const startFields = {
  clientId: filled,
  projectId: filled,
  scope: z.string().regex(SCOPE, 'scope must be a space-separated list of names').optional(),
  nonce: filled,
  remember: z.boolean().optional(),
  ...pkce,
};

export const loginRequest = z.object({
  email,
  password,
  resourceType: filled,
  redirectUri: filled,
  /** What the client was opened about (SMART App Launch), where it asks by the scope `launch`. */
  launch: filled,
  ...startFields,
});
export type LoginRequest = z.output<typeof loginRequest>;

export const newUserRequest = z.object({
  firstName: name('First name'),
  lastName: name('Last name'),
  email,
  password,
  ...startFields,
});
export type NewUserRequest = z.output<typeof newUserRequest>;

export const newProjectRequest = z.object({
  login: z.uuid({ error: 'login must be a UUID' }),
  projectName,
});

export const newPatientRequest = z.object({
  login: z.uuid({ error: 'login must be a UUID' }),
  projectId: z.uuid({ error: 'projectId must be the id of a project' }),
});
export type NewPatientRequest = z.output<typeof newPatientRequest>;

export const chooseProfileRequest = z.object({
  login: z.uuid({ error: 'login must be a UUID' }),
  /** The id of the membership, in spite of the name (contract §1.5). */
  profile: z.uuid({ error: 'profile must be the id of a membership' }),
});

export const chooseScopeRequest = z.object({
  login: z.uuid({ error: 'login must be a UUID' }),
  scope: z.string({ error: 'scope is required' }).regex(SCOPE, 'scope must be a space-separated list of names'),
});

export const linkRequest = z.object({
  id: z.uuid({ error: 'id must be a UUID' }),
  secret: z.string({ error: 'Missing secret' }).min(1, 'Missing secret').max(MAX_TEXT),
});

export const sendVerificationRequest = z.object({ login: z.uuid({ error: 'login must be a UUID' }) });

/** The code of a mailed link, for who cannot open it. Spaces that a person types or copies with it do not count. */
export const linkCodeRequest = z.object({
  email,
  code: z
    .string({ error: 'The code is required' })
    .transform((code) => code.replace(/\s/g, ''))
    .pipe(z.string().regex(/^\d{6}$/, 'The code has six digits')),
});

export const setPasswordRequest = linkRequest.extend({ password });

export const resetPasswordRequest = z.object({
  email,
  projectId: text.optional(),
  sendEmail: z.boolean().optional(),
  redirectUri: text.optional(),
});

export const changePasswordRequest = z.object({ oldPassword: password, newPassword: password });

export const revokeRequest = z.object({ loginId: text });
