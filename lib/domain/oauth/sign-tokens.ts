import { createSign } from 'node:crypto';
import { env } from '#lib/base/env.ts';
import type { Actor } from '../access/context.ts';
import { ACCESS_SECONDS, REFRESH_SECONDS } from '../sessions/token-lifetimes.ts';
import { type SigningKey, signingKeys } from './signing-keys.ts';

export type TokenInput = {
  actor: Actor;
  loginId: string;
  scope: string;
  nonce?: string | null;
  authTime: Date;
  /** As `findEmail` gives it. */
  email?: string;
  refreshSecret?: string;
  accessSeconds?: number;
  refreshSeconds?: number;
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
};

/** Claims as in contract §1.3. No `cid`: the peer's client would compare it. */
export async function signTokens(input: TokenInput): Promise<TokenResponse> {
  const { actor, loginId, scope } = input;
  const sub = actor.user.slice(actor.user.indexOf('/') + 1);
  const client = actor.clientId ? { client_id: actor.clientId } : {};
  const accessSeconds = input.accessSeconds ?? ACCESS_SECONDS;
  const [access, id, refresh] = await Promise.all([
    sign(actor, { ...client, login_id: loginId, sub, username: sub, scope, profile: actor.profile }, accessSeconds),
    sign(actor, { ...client, login_id: loginId, sub, fhirUser: actor.profile, ...idClaims(input) }, 3600),
    input.refreshSecret &&
      sign(
        actor,
        { ...client, login_id: loginId, refresh_secret: input.refreshSecret },
        input.refreshSeconds ?? REFRESH_SECONDS,
      ),
  ]);
  return {
    token_type: 'Bearer',
    expires_in: accessSeconds,
    scope,
    id_token: id,
    access_token: access,
    ...(refresh ? { refresh_token: refresh } : {}),
    project: { reference: `Project/${actor.projectId}`, display: actor.projectName },
    profile: { reference: actor.profile, display: actor.profileDisplay },
    ...(actor.profile.startsWith('Patient/') ? { patient: actor.profile.slice('Patient/'.length) } : {}),
  };
}

function idClaims(input: TokenInput): Record<string, unknown> {
  return {
    ...(input.nonce ? { nonce: input.nonce } : {}),
    auth_time: Math.floor(input.authTime.getTime() / 1000),
    ...(input.email ? { email: input.email } : {}),
  };
}

async function sign(actor: Actor, claims: Record<string, unknown>, seconds: number): Promise<string> {
  const [key] = await signingKeys();
  const now = Math.floor(Date.now() / 1000);
  const times = { iss: env().BASE_URL, iat: now, exp: now + seconds };
  return toJws(key!, { ...claims, ...times, ...(actor.clientId && { aud: actor.clientId }) });
}

/**
 * RFC 7515 §3.1. By node:crypto, in this thread: on its way through WebCrypto's thread pool a signature took five times as long, and
 * every sign-in needs two or three.
 */
function toJws({ alg, kid, privateKey }: SigningKey, payload: Record<string, unknown>): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${encode({ alg, kid, typ: 'JWT' })}.${encode(payload)}`;
  // RFC 7518 §3.4: R and S side by side, not DER.
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
  return `${text}.${createSign(`SHA${alg.slice(2)}`)
    .update(text)
    .sign(key, 'base64url')}`;
}
