import { and, eq, gt, lt, sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import type { TokenName } from '#lib/infra/crypto/named-token.ts';
import { secretMatches } from '#lib/infra/crypto/secret.ts';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { registeredClient, registrationToken } from '#lib/infra/db/schema/clients.ts';
import { type ClientMetadata, clientMetadata, isOpenToApps } from '#lib/protocol/clients/registration.ts';
import type { ClientApplication } from '#lib/protocol/fhir/client-types.ts';
import { parseSmartScope, splitScopes } from '#lib/protocol/smart-scopes.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { insertClient } from '../clients/insert-client.ts';
import { attemptSecret } from '../limits/attempt-secret.ts';
import { networkOf } from '../limits/network-of.ts';
import { throttle } from '../limits/throttle.ts';
import { shareProject } from '../memberships/share-project.ts';
import { oauthError } from '../oauth/oauth-error.ts';
import { SCOPES } from '../oauth/scopes.ts';
import { readRegistrationToken } from './registration-tokens.ts';

/** Wrong ones in 15 minutes from one network, and apps that it registers: a lock that nobody can close for others. */
const MOST_WRONG = 60;
const MOST_APPS = 300;
const MOST_SCOPES = 200;
/** What an app that does not say gets: who somebody is, and no records. */
const IDENTITY = 'openid profile email fhirUser offline_access';

/** RFC 7591 §3.2.1. */
export type Registration = Record<string, unknown> & { client_id: string };

/**
 * RFC 7591: an app registers itself in the project that its token names. It signs people in and never acts for itself: it has no membership. Its
 * secret is in the result and nowhere else. Throws 401 for a token that is none (any more), 400 with §3.2.2's name for what it says of itself, and 429.
 */
export async function registerApp(ctx: Ctx, token: string | undefined, body: unknown): Promise<Registration> {
  const name = await requireToken(ctx, token);
  await throttle(`register-app-from:${networkOf(ctx.remoteAddress)}`, MOST_APPS);
  const metadata = readMetadata(body);
  const scopes = scopesOf(metadata);
  const client = toClient(metadata, scopes);
  const isPublic = ['none', 'private_key_jwt'].includes(metadata.token_endpoint_auth_method);
  const { projectId } = name;
  const made = await write(ctx, async (w) => {
    const used = await takeUse(w.tx, name);
    const { row, secret } = await insertClient(w, projectId, client, { author: undefined }).catch(toMetadataError);
    await w.tx.insert(registeredClient).values({ projectId, clientId: row.id, tokenId: name.id, tokenName: used.name });
    const target = `ClientApplication/${row.id}`;
    w.audit({ projectId, action: 'client.register', target, after: { token: used.name, hint: used.hint } });
    return { id: row.id, secret };
  });
  return {
    client_id: made.id,
    client_id_issued_at: Math.floor(Date.now() / 1000),
    // One that has none still has a row of its own, whose secret nobody knows.
    ...(!isPublic && { client_secret: made.secret, client_secret_expires_at: 0 }),
    ...toldOf(metadata, scopes),
  };
}

async function requireToken(ctx: Ctx, token = ''): Promise<TokenName> {
  const name = readRegistrationToken(token);
  if (!name) throw invalidToken();
  const { projectId, id } = name;
  const own = and(eq(registrationToken.projectId, projectId), eq(registrationToken.id, id));
  const [found] = await db().select({ hash: registrationToken.secretHash }).from(registrationToken).where(own);
  const attempt = { key: `register-app:${networkOf(ctx.remoteAddress)}`, limit: MOST_WRONG };
  if (!(await attemptSecret(attempt, () => secretMatches(token, found?.hash)))) throw invalidToken();
  return name;
}

/** Of many at the same moment no more than it is good for; of none that has ended, or whose project is closed to apps. */
async function takeUse(tx: Queryable, { projectId, id }: TokenName): Promise<{ name: string; hint: string }> {
  const project = await shareProject(tx, projectId).catch(() => undefined);
  if (!project || project.active === false || !isOpenToApps(project)) throw invalidToken();
  const [used] = await tx
    .update(registrationToken)
    .set({ used: sql`${registrationToken.used} + 1` })
    .where(
      and(
        eq(registrationToken.projectId, projectId),
        eq(registrationToken.id, id),
        gt(registrationToken.expiresAt, new Date()),
        lt(registrationToken.used, registrationToken.most),
      ),
    )
    .returning({ name: registrationToken.name, hint: registrationToken.hint });
  if (!used) throw invalidToken();
  return used;
}

/** RFC 6750 §3.1; it says not which of it is wrong. */
function invalidToken(): AppError {
  return new AppError('unauthorized', 'This needs a registration token that is good: ask an administrator', {
    oauth: 'invalid_token',
  });
}

function readMetadata(body: unknown): ClientMetadata {
  const parsed = clientMetadata.safeParse(body);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  const [field] = path;
  const name = field === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata';
  throw oauthError(name, field === undefined ? message : `${String(field)} ${message}`);
}

/** What is no scope of ours is left out, as RFC 7591 §2 lets us. */
function scopesOf({ scope = IDENTITY }: ClientMetadata): string[] {
  const scopes = splitScopes(scope).filter((one) => SCOPES.includes(one) || parseSmartScope(one) !== undefined);
  if (scopes.length === 0) throw oauthError('invalid_client_metadata', 'scope has none that there is here');
  if (scopes.length > MOST_SCOPES) throw oauthError('invalid_client_metadata', `scope has at most ${MOST_SCOPES}`);
  return scopes;
}

function toClient(metadata: ClientMetadata, scopes: string[]): ClientApplication {
  const { redirect_uris: redirectUris, token_endpoint_auth_method: method, grant_types: grantType } = metadata;
  return {
    resourceType: 'ClientApplication',
    name: metadata.client_name,
    ...(redirectUris?.length && { redirectUris }),
    tokenEndpointAuthMethod: method,
    ...(method === 'private_key_jwt' && { jwksUri: metadata.jwks_uri }),
    grantType: [...new Set(grantType)],
    responseType: ['code'],
    allowedScope: scopes,
    defaultScope: scopes,
    idTokenSignedResponseAlg: metadata.id_token_signed_response_alg,
  };
}

/** What is kept, and nothing that is not. */
function toldOf(metadata: ClientMetadata, scopes: string[]): Record<string, unknown> {
  const { client_name, redirect_uris, token_endpoint_auth_method, jwks_uri, id_token_signed_response_alg } = metadata;
  const signsIn = metadata.grant_types.includes('authorization_code');
  return {
    client_name,
    ...(redirect_uris?.length && { redirect_uris }),
    token_endpoint_auth_method,
    ...(token_endpoint_auth_method === 'private_key_jwt' && { jwks_uri }),
    grant_types: [...new Set(metadata.grant_types)],
    response_types: signsIn ? ['code'] : [],
    scope: scopes.join(' '),
    subject_type: 'public',
    id_token_signed_response_alg,
  };
}

function toMetadataError(error: unknown): never {
  if (error instanceof AppError && error.code === 'invalid') throw oauthError('invalid_client_metadata', error.message);
  throw error;
}
