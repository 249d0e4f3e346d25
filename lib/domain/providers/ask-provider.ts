import { AppError } from '#lib/base/errors.ts';
import { log } from '#lib/base/log.ts';
import { fetchOutside, type OutsideOptions } from '#lib/infra/net/fetch-outside.ts';
import { parseJson } from '#lib/protocol/json/json.ts';
import type { Provider } from './provider.ts';
import { findProviderSecret } from './provider-secrets.ts';

type Claims = Record<string, unknown>;

const LIMIT_MS = 10_000;

/** What a provider gives for a code (OpenID Connect Core §3.1.3). Throws 400: why, only the log tells. */
export async function redeemAtProvider(
  provider: Provider,
  { code, redirectUri, verifier }: { code: string; redirectUri: string; verifier: string | undefined },
): Promise<{ accessToken: string | undefined; idToken: string | undefined }> {
  const { tokenUrl = '', clientId = '', tokenAuthMethod } = provider.settings;
  const secret = await findProviderSecret(provider.projectId, provider.owner, tokenUrl);
  const form = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: redirectUri });
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' };
  if (verifier !== undefined) form.set('code_verifier', verifier);
  if (secret !== undefined && tokenAuthMethod === 'client_secret_basic') {
    const pair = [clientId, secret].map(encodeURIComponent).join(':');
    headers.authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
  } else {
    form.set('client_id', clientId);
    if (secret !== undefined) form.set('client_secret', secret);
  }
  const answer = await ask(provider, tokenUrl, { method: 'POST', headers, body: String(form) });
  return { accessToken: textOf(answer.access_token), idToken: textOf(answer.id_token) };
}

/** OpenID Connect Core §5.3. Throws as above; also for a token that is not one of the provider's. */
export function readUserInfo(provider: Provider, accessToken: string): Promise<Claims> {
  if (!/^[\w.~+/=-]{1,8192}$/.test(accessToken)) throw refused();
  const headers = { authorization: `Bearer ${accessToken}` };
  return ask(provider, provider.settings.userInfoUrl ?? '', { headers });
}

/** Where the issuer says that its keys are (OpenID Connect Discovery §4). */
export async function findKeysUri(provider: Provider): Promise<string> {
  const { issuer = '', jwksUrl } = provider.settings;
  if (jwksUrl) return jwksUrl;
  const found = await ask(provider, `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {});
  const uri = found.issuer === issuer ? textOf(found.jwks_uri) : undefined;
  if (!uri) throw refused();
  return uri;
}

async function ask(provider: Provider, url: string, options: Partial<OutsideOptions>): Promise<Claims> {
  try {
    const signal = AbortSignal.timeout(LIMIT_MS);
    const response = await fetchOutside(url, { ...options, signal, accept: 'application/json' });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    const body = parseJson(await response.text());
    if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Error('its answer is no object');
    return body as Claims;
  } catch (error) {
    log.warn({ provider: provider.owner, url, err: error }, 'an identity provider could not be asked');
    throw refused();
  }
}

export function refused(): AppError {
  return new AppError('invalid', 'The identity provider did not confirm who this is; sign in again', {
    oauth: 'invalid_grant',
  });
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
