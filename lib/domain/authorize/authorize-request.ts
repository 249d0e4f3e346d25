import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { allows, scopesBeyond } from '#lib/protocol/clients/bounds.ts';
import { SCOPE } from '#lib/protocol/requests/auth.ts';
import { splitScopes } from '#lib/protocol/smart-scopes.ts';
import { type App, findApp } from '../clients/find-app.ts';

/** Who asks, and where the answer may go. Nothing is sent anywhere before both are known. */
export type Target = { app: App; redirectUri: string; state: string | undefined };

export const PROMPTS = ['none', 'login', 'consent', 'select_account'] as const;
type Prompt = (typeof PROMPTS)[number];

/** An authorization request (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1) that is in order. */
export type AuthorizeRequest = Target & {
  scope: string;
  nonce: string | undefined;
  codeChallenge: string | undefined;
  codeChallengeMethod: 'S256' | 'plain' | undefined;
  prompt: ReadonlySet<Prompt>;
  /** The person must have signed in since then. */
  signedInSince: Date | undefined;
  idTokenHint: string | undefined;
  /** What the app was opened about, by the name that it was told. */
  launch: string | undefined;
  /** The app is about a patient, whom nobody has named yet. */
  asksForPatient: boolean;
  /** The app has shown who it is when it sent this, and does so again for the code. */
  needsProof: boolean;
};

/** Of our own: what `prompt=login` becomes on the way through the sign-in page, so that it is asked for once. Seconds. */
export const SIGNED_IN_SINCE = 'signed_in_since';
const MOST_LENGTH = 2048;
/** Several times as many as any request has. */
const MOST_PARAMETERS = 50;

/** As RFC 6749 §3.1 reads parameters: one without a value is none. */
export function withoutEmpty(params: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...params].filter(([, value]) => value !== ''));
}

/** Throws 400, for the person to read: to an address that is not the app's own nobody is sent (RFC 6749 §4.1.2.1). */
export async function readTarget(params: URLSearchParams): Promise<Target> {
  const clientId = one(params, 'client_id');
  const app = clientId === undefined ? undefined : await findApp(clientId);
  if (!app) throw new AppError('invalid', 'Unknown client_id: no app of this name can sign anybody in here');
  const redirectUri = one(params, 'redirect_uri');
  if (redirectUri === undefined || !redirectUrisOf(app).includes(redirectUri)) {
    throw new AppError('invalid', 'This redirect_uri is not one of the app’s own; an administrator can add it there');
  }
  return { app, redirectUri, state: one(params, 'state') };
}

export function redirectUrisOf({ resource: { redirectUri, redirectUris = [] } }: App): string[] {
  return redirectUri === undefined ? redirectUris : [redirectUri, ...redirectUris];
}

/** A parameter that stands there once. */
function one(params: URLSearchParams, name: string): string | undefined {
  const values = params.getAll(name);
  return values.length === 1 ? values[0] : undefined;
}

/** Throws what is told to the app, with its RFC 6749 §4.1.2.1 name. */
export function readRequest(params: URLSearchParams, target: Target, needsProof = false): AuthorizeRequest {
  requireKnown(params);
  requireAllowed(target.app);
  const prompt = readPrompt(params.get('prompt'));
  const scope = readScope(params.get('scope'), target.app);
  return {
    ...target,
    scope,
    ...readLaunch(params.get('launch'), splitScopes(scope)),
    nonce: params.get('nonce') ?? undefined,
    ...readChallenge(params, target.app),
    prompt,
    signedInSince: readSince(params),
    idTokenHint: params.get('id_token_hint') ?? undefined,
    needsProof,
  };
}

function requireKnown(params: URLSearchParams): void {
  const seen = new Set<string>();
  for (const [name, value] of params) {
    if (seen.has(name)) throw refused('invalid_request', `${name.slice(0, 80)} stands twice`);
    if (seen.add(name).size > MOST_PARAMETERS)
      throw refused('invalid_request', `A request has at most ${MOST_PARAMETERS} parameters`);
    if (value.includes('\u0000'))
      throw refused('invalid_request', `${name.slice(0, 80)} has a character that is not allowed`);
    if (value.length > MOST_LENGTH) throw refused('invalid_request', `${name.slice(0, 80)} is too long`);
  }
  if (params.has('request')) throw refused('request_not_supported', 'A request object is not supported');
  if (params.has('request_uri')) throw refused('request_uri_not_supported', 'request_uri is not supported');
  const type = params.get('response_type');
  if (type === null) throw refused('invalid_request', 'Missing response_type');
  if (type !== 'code') throw refused('unsupported_response_type', 'response_type must be code');
  if ((params.get('response_mode') ?? 'query') !== 'query')
    throw refused('invalid_request', 'response_mode must be query');
  const audience = params.get('aud');
  // SMART App Launch §2.0.8: an app that was told of another server must not bring its token there.
  if (audience !== null && audience.replace(/\/$/, '') !== fhirBase())
    throw refused('invalid_request', `aud must be ${fhirBase()}`);
}

/** RFC 6749 §4.1.2.1: that the client is one that signs people in here. */
function requireAllowed({ resource: { grantType, responseType } }: App): void {
  if (!allows(responseType, 'code'))
    throw refused('unauthorized_client', 'The responseType of this client does not allow code');
  if (!allows(grantType, 'authorization_code'))
    throw refused('unauthorized_client', 'The grantType of this client does not allow authorization_code');
}

function readScope(given: string | null, app: App): string {
  const scope = given?.trim() || app.resource.defaultScope?.join(' ');
  if (!scope) throw refused('invalid_scope', 'Missing scope');
  if (!SCOPE.test(scope)) throw refused('invalid_scope', 'scope must be a space-separated list of names');
  const [beyond] = scopesBeyond(app.resource.allowedScope, scope);
  if (beyond !== undefined)
    throw refused('invalid_scope', `This client does not get the scope ${beyond.slice(0, 200)}`);
  return scope;
}

/** SMART App Launch 2.2: what it was opened about is told to who asks by the scope `launch`; `launch/patient` asks the person. */
function readLaunch(given: string | null, scopes: string[]) {
  const launch = scopes.includes('launch') ? (given ?? undefined) : undefined;
  return { launch, asksForPatient: launch === undefined && scopes.includes('launch/patient') };
}

/** RFC 7636. `plain` shows the verifier to whoever reads the address bar: only for apps that need not bring any. */
function readChallenge(params: URLSearchParams, { resource }: App) {
  const codeChallenge = params.get('code_challenge') ?? undefined;
  const method = params.get('code_challenge_method') ?? (codeChallenge && 'plain');
  if (method === undefined) return { codeChallenge, codeChallengeMethod: undefined };
  if (!codeChallenge || !/^[\w~.-]{43,128}$/.test(codeChallenge))
    throw refused('invalid_request', 'code_challenge must be 43 to 128 URL-safe characters');
  if (method === 'S256') return { codeChallenge, codeChallengeMethod: 'S256' as const };
  if (method === 'plain' && resource.pkceOptional === true)
    return { codeChallenge, codeChallengeMethod: 'plain' as const };
  throw refused('invalid_request', 'code_challenge_method must be S256');
}

function readPrompt(given: string | null): ReadonlySet<Prompt> {
  const names = (given ?? '').split(' ').filter(Boolean);
  const known = PROMPTS.filter((prompt) => names.includes(prompt));
  const isMixed = names.includes('none') && names.length > 1;
  if (isMixed || names.some((name) => !known.includes(name as Prompt)))
    throw refused('invalid_request', `prompt must be of ${PROMPTS.join(', ')}, and none stands alone`);
  return new Set(known);
}

function readSince(params: URLSearchParams): Date | undefined {
  const [maxAge, since] = [readSeconds(params, 'max_age'), readSeconds(params, SIGNED_IN_SINCE)];
  const times = [
    ...(maxAge === undefined ? [] : [Date.now() - maxAge * 1000]),
    ...(since === undefined ? [] : [since * 1000]),
  ];
  return times.length > 0 ? new Date(Math.max(...times)) : undefined;
}

function readSeconds(params: URLSearchParams, name: string): number | undefined {
  const given = params.get(name);
  if (given === null) return undefined;
  if (!/^\d{1,12}$/.test(given)) throw refused('invalid_request', `${name} must be a number of seconds`);
  return Number(given);
}

/** An answer to the app that is no code: RFC 6749 §4.1.2.1, OpenID Connect Core §3.1.2.6. */
export function refused(name: RefusalName, description: string): AppError {
  return new AppError('invalid', description, { oauth: name });
}

type RefusalName =
  | 'access_denied'
  | 'consent_required'
  | 'interaction_required'
  | 'invalid_request'
  | 'invalid_scope'
  | 'login_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'unauthorized_client'
  | 'unsupported_response_type';
