import { env } from '#lib/base/env.ts';
import { newId } from '#lib/base/ids.ts';
import type { LoginRow } from '#lib/infra/db/schema/login.ts';
import type { LaunchContext } from '#lib/protocol/launch/context.ts';
import { splitScopes } from '#lib/protocol/smart-scopes.ts';
import type { Actor } from '../access/context.ts';
import { patientOf } from '../access/scope-rules.ts';
import { bounded } from '../bounds/within-bounds.ts';
import { ACCESS_SECONDS, REFRESH_SECONDS } from '../sessions/token-lifetimes.ts';
import type { SigningAlgorithm } from '../signing/make-signing-key.ts';
import { type OwnKey, signingKeyFor, signingKeys } from '../signing/signing-keys.ts';
import { toJws } from '../signing/to-jws.ts';
import { howProven } from './how-proven.ts';
import { scopesInForce } from './scopes.ts';

/** How we look, for apps that look alike (SMART App Launch 2.2, "smart_style_url"). */
const STYLE_PATH = '/.well-known/smart-style.json';

export type TokenInput = {
  actor: Actor;
  loginId: string;
  scope: string;
  nonce?: string | null;
  authTime: Date;
  /** How the person of it showed who they are. */
  proof?: Pick<LoginRow, 'authMethod' | 'factorAt'>;
  launch?: LaunchContext | null;
  /** As `findEmail` gives it. */
  email?: string;
  refreshSecret?: string;
  accessSeconds?: number;
  refreshSeconds?: number;
  /** As the client wants it. Default: ES256. */
  idTokenAlg?: SigningAlgorithm;
};

/** The body of RFC 6749 §5.1, with the references that the peer's clients print (contract §1.2). */
export type TokenResponse = {
  token_type: 'Bearer';
  expires_in: number;
  scope: string;
  id_token: string;
  access_token: string;
  refresh_token?: string;
  project: { reference: string; display?: string };
  profile: { reference: string; display?: string };
  patient?: string;
  /** What else the app was started with (SMART App Launch 2.2, "Launch context arrives with your access_token"). */
  encounter?: string;
  need_patient_banner?: boolean;
  smart_style_url?: string;
  /** Of a token exchange (RFC 8693 §2.2.1). */
  issued_token_type?: string;
};

/**
 * Claims as in contract §1.3, the access token's as in RFC 9068 §2.2 beside; what comes back to us names its project too, for that is where the login is found. No `cid`: the peer's
 * client would compare it.
 */
export async function signTokens(input: TokenInput): Promise<TokenResponse> {
  const { actor, loginId, launch } = input;
  const patient = patientOf(actor);
  const scope = scopesInForce(input.scope, { projectId: actor.projectId, patient, isLaunched: launch?.by === 'ehr' });
  const sub = actor.user.slice(actor.user.indexOf('/') + 1);
  const common = { ...(actor.clientId && { client_id: actor.clientId }), login_id: loginId };
  const { bounds } = actor;
  const accessSeconds = bounded(input.accessSeconds ?? ACCESS_SECONDS, bounds.accessSeconds);
  const [key] = await signingKeys();
  const signed = (claims: Record<string, unknown>, seconds: number, typ?: string) =>
    sign(key, actor, { ...common, ...claims }, seconds, typ);
  const project = actor.projectId;
  const accessClaims = {
    project,
    sub,
    username: sub,
    scope,
    profile: actor.profile,
    aud: audienceOf(actor),
    jti: newId(),
    ...(patient ? { patient: patient.slice('Patient/'.length) } : {}),
  };
  const access = signed(accessClaims, accessSeconds, 'at+jwt');
  const idKey = input.idTokenAlg === 'RS256' ? await signingKeyFor('RS256') : key;
  const id = sign(idKey, actor, { ...common, project, sub, ...idClaims(input, scope) }, 3600);
  const refresh =
    input.refreshSecret &&
    signed(
      { project, refresh_secret: input.refreshSecret },
      bounded(input.refreshSeconds ?? REFRESH_SECONDS, bounds.refreshSeconds),
    );
  return {
    token_type: 'Bearer',
    expires_in: accessSeconds,
    scope,
    id_token: id,
    access_token: access,
    ...(refresh ? { refresh_token: refresh } : {}),
    project: { reference: `Project/${actor.projectId}`, display: actor.projectName },
    profile: { reference: actor.profile, display: actor.profileDisplay },
    ...(patient ? { patient: patient.slice('Patient/'.length) } : {}),
    ...(patient && asksForLaunch(scope) ? launchFacts(launch) : {}),
  };
}

function asksForLaunch(scope: string): boolean {
  return splitScopes(scope).some((one) => one === 'launch' || one === 'launch/patient');
}

/** A person who starts the app about themselves sees no page around it that says whom it is about. */
function launchFacts(launch: LaunchContext | null | undefined): Partial<TokenResponse> {
  return {
    ...(launch?.encounter && { encounter: launch.encounter }),
    need_patient_banner: launch?.needPatientBanner ?? true,
    smart_style_url: `${env().BASE_URL}${STYLE_PATH}`,
  };
}

/** What is told of the person is what the scopes in force ask for (OpenID Connect Core §5.4, SMART App Launch: fhirUser). */
function idClaims(input: TokenInput, scope: string): Record<string, unknown> {
  const scopes = splitScopes(scope);
  const { profile, profileDisplay } = input.actor;
  return {
    ...(scopes.includes('fhirUser') ? { fhirUser: profile } : {}),
    ...(scopes.includes('profile') && profileDisplay ? { name: profileDisplay } : {}),
    ...(input.nonce ? { nonce: input.nonce } : {}),
    auth_time: Math.floor(input.authTime.getTime() / 1000),
    ...(input.proof && howProven(input.proof)),
    ...(input.email ? { email: input.email } : {}),
  };
}

/** RFC 9068 §2.2 wants to know where a token is good: here. The peer names its client there. */
function audienceOf({ clientId }: Actor): string | string[] {
  const here = env().BASE_URL;
  return clientId ? [here, clientId] : here;
}

function sign(key: OwnKey, actor: Actor, claims: Record<string, unknown>, seconds: number, typ?: string): string {
  const now = Math.floor(Date.now() / 1000);
  const times = { iss: env().BASE_URL, iat: now, exp: now + seconds };
  // One key signs for several: each token says for whom (OWASP ASVS 9.2.4). Of a sign-in without an app that is us.
  return toJws(key, { aud: actor.clientId ?? env().BASE_URL, ...claims, ...times }, typ);
}
