import { decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { env } from '#lib/base/env.ts';
import { AppError } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { findProjectOfLogin, type LoginKey } from '../sessions/find-login.ts';
import { reloadSigningKeys, signingKeys } from '../signing/signing-keys.ts';
import type { ViewKey } from '../views/view-rows.ts';

export type AccessClaims = { login: LoginKey; expiresAtSeconds: number; issuedAtSeconds: number };
/** Of a token by which an administrator looks with a member’s eyes. It names no login, so that it is good for nothing else. */
export type ViewClaims = { view: ViewKey; expiresAtSeconds: number };

type Verified = (AccessClaims | ViewClaims) & { kid: string };

/**
 * A signature is checked once a token, as long as its key is active; whether its login still lives is asked on every request
 * (`actorOfLogin`).
 */
const verified = new LRUCache<string, Verified>({ max: 10_000 });

/** Throws 401. An id or refresh token is not an access token, and one to look with a member’s eyes is none here. */
export async function verifyAccessToken(token: string): Promise<AccessClaims> {
  const claims = await verifyBearer(token);
  if ('view' in claims) throw invalid();
  return claims;
}

/** Of any token that is sent with a request. Throws 401. */
export async function verifyBearer(token: string): Promise<AccessClaims | ViewClaims> {
  const known = verified.get(token);
  if (known) {
    if (known.expiresAtSeconds > Date.now() / 1000 && find(await signingKeys(), known.kid)) return known;
    verified.delete(token);
    throw invalid();
  }
  const payload = await verifyToken(token);
  const whose = await readWhose(payload);
  if (!whose || payload.exp === undefined || !isForHere(payload)) throw invalid();
  const claims = {
    ...whose,
    expiresAtSeconds: payload.exp,
    issuedAtSeconds: payload.iat ?? 0,
    kid: readKeyId(token),
  };
  verified.set(token, claims);
  return claims;
}

async function readWhose(payload: JWTPayload): Promise<{ login: LoginKey } | { view: ViewKey } | undefined> {
  const { view_id: id, project: projectId } = payload;
  if (isUuid(id) && isUuid(projectId)) return { view: { projectId, id } };
  const login = typeof payload.username === 'string' ? await readLogin(payload) : undefined;
  return login && { login };
}

/** RFC 9068 §4: a token that says where it is good must name us. */
function isForHere({ aud }: JWTPayload): boolean {
  return aud === undefined || [aud].flat().includes(env().BASE_URL);
}

/** Whose token this is. Those of the release before name no project. */
export async function readLogin({ login_id: id, project }: JWTPayload): Promise<LoginKey | undefined> {
  if (!isUuid(id)) return undefined;
  const projectId = isUuid(project) ? project : await findProjectOfLogin(id);
  return projectId === undefined ? undefined : { projectId, id };
}

/** Signature, issuer and expiry of any token of ours. Throws 401; a database that fails is not the token's fault and no 401. */
export async function verifyToken(token: string, { evenExpired = false } = {}): Promise<JWTPayload> {
  const kid = readKeyId(token);
  const key = find(await signingKeys(), kid) ?? find(await reloadSigningKeys(), kid);
  if (!key) throw invalid();
  try {
    const { payload } = await jwtVerify(token, key.publicKey, {
      issuer: env().BASE_URL,
      algorithms: [key.alg],
      ...(evenExpired && { currentDate: new Date(0) }),
    });
    return payload;
  } catch (cause) {
    throw invalid(cause);
  }
}

/** Our keys have UUIDs: whatever else a token names is not worth a look. */
function readKeyId(token: string): string {
  try {
    const { kid } = decodeProtectedHeader(token);
    if (isUuid(kid)) return kid;
  } catch (cause) {
    throw invalid(cause);
  }
  throw invalid();
}

function find<T extends { kid: string }>(keys: T[], kid: string): T | undefined {
  return keys.find((key) => key.kid === kid);
}

function invalid(cause?: unknown): AppError {
  return new AppError('unauthorized', 'Invalid or expired token', { cause });
}
