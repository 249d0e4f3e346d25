import { createHash } from 'node:crypto';
import { env } from '#lib/base/env.ts';
import { AppError } from '#lib/base/errors.ts';
import { isUuid, newSecret } from '#lib/base/ids.ts';
import { seal, unseal } from '#lib/infra/crypto/seal.ts';
import { authnRequestUrl } from '#lib/infra/saml/authn-request.ts';
import type { ExternalRequest } from '#lib/protocol/requests/authorization.ts';
import type { Ctx } from '../access/context.ts';
import { findApp } from '../clients/find-app.ts';
import { findClientProvider, findDomainProvider } from '../providers/find-provider.ts';
import { isSaml, type Provider, type ProviderBySaml } from '../providers/provider.ts';
import { serviceProjectOf, serviceProviderOf } from '../providers/service-provider.ts';
import { projectOfRequest } from '../sign-in/create-login.ts';

/** What a browser keeps while its person is with a provider, sealed: whose answer is awaited, and what for. */
export type Waiting = {
  state: string;
  /** What the provider is to sign along: the nonce of an ID token, or by which request it answers. */
  nonce: string;
  verifier: string | undefined;
  /** By which the provider is found again. Of a client's own provider, its client. */
  domain: string | undefined;
  ownClient: string | undefined;
  request: ExternalRequest;
  expiresAt: number;
};

const PURPOSE = 'external-sign-in';
export const WAITING_SECONDS = 10 * 60;

/**
 * Where the browser goes to be told who somebody is, and what it keeps meanwhile. `ownClient`: the client of the address, whose provider is
 * asked. Throws 400, for the person to read, before they are sent anywhere.
 */
export async function startExternal(
  ctx: Ctx,
  request: ExternalRequest,
  ownClient: string | undefined,
): Promise<{ location: string; state: string; kept: string }> {
  const fields = ownClient === undefined ? request : { ...request, clientId: ownClient };
  if (fields.projectId !== undefined && !isUuid(fields.projectId))
    throw new AppError('invalid', 'projectId must be a UUID', { expression: 'projectId' });
  const provider = await requireProviderOf({ domain: request.domain, ownClient });
  requireItsProject(provider, await projectOfRequest(ctx, fields));
  await requireOwnPlace(provider, fields);
  const verifier = provider.settings.usePkce === true ? newSecret(48) : undefined;
  const expiresAt = Date.now() + WAITING_SECONDS * 1000;
  const waiting: Waiting = {
    state: newSecret(),
    nonce: newSecret(),
    verifier,
    domain: request.domain,
    ownClient,
    request: fields,
    expiresAt,
  };
  const location = isSaml(provider) ? await toSaml(provider, waiting) : toOpenId(provider, waiting);
  return { location, state: waiting.state, kept: seal(PURPOSE, JSON.stringify(waiting)) };
}

function toOpenId({ settings }: Provider, { state, nonce, verifier, ownClient, request }: Waiting): string {
  const { authorizeUrl = '', clientId = '', acrValues, maxAge } = settings;
  const url = new URL(authorizeUrl);
  const query = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: callbackOf(ownClient),
    scope: 'openid profile email',
    state,
    nonce,
    ...(verifier && {
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }),
    ...(acrValues && { acr_values: acrValues }),
    ...(maxAge !== undefined && { max_age: String(maxAge) }),
    ...(request.loginHint && { login_hint: request.loginHint }),
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

/** The state goes along as RelayState: it says where to look, and nothing else. */
function toSaml(provider: ProviderBySaml, waiting: Waiting): Promise<string> {
  const { saml } = provider;
  const byAddress = saml.emailAttribute === undefined;
  const asked = { requestId: requestIdOf(waiting), relayState: waiting.state, byAddress };
  return authnRequestUrl(saml, serviceProviderOf(serviceProjectOf(provider)), asked);
}

/** An ID begins with no digit (xs:ID). */
export function requestIdOf({ nonce }: Waiting): string {
  return `_${nonce}`;
}

/**
 * Each client's provider answers at an address of its own: an answer that one provider has fetched from another under our name comes back at the
 * wrong one, and is refused (RFC 9700 §4.4.2.2).
 */
export function callbackOf(ownClient: string | undefined): string {
  return `${env().BASE_URL}/auth/external${ownClient === undefined ? '' : `/${ownClient}`}`;
}

/** What this browser kept under this state; undefined when it is not ours, or too old. */
export function openWaiting(kept: string | undefined): Waiting | undefined {
  if (!kept) return undefined;
  try {
    const waiting = JSON.parse(unseal(PURPOSE, kept)) as Waiting;
    return waiting.expiresAt > Date.now() ? waiting : undefined;
  } catch {
    return undefined;
  }
}

export async function requireProviderOf(of: Pick<Waiting, 'domain' | 'ownClient'>): Promise<Provider> {
  const provider = of.ownClient ? await findClientProvider(of.ownClient) : await findDomainProvider(of.domain ?? '');
  if (!provider || !(provider.settings.authorizeUrl || isSaml(provider)))
    throw new AppError('invalid', 'No identity provider is set up for this');
  return provider;
}

/** A project's own provider lets nobody in elsewhere. Without a project named, the sign-in is for its own. Throws 400. */
export function requireItsProject({ forProject }: Provider, projectId: string | undefined): string | undefined {
  if (forProject === undefined || projectId === undefined || projectId.toLowerCase() === forProject)
    return forProject ?? projectId;
  throw new AppError('invalid', 'The identity provider of these addresses is another project’s', {
    expression: 'projectId',
  });
}

/** Where the browser goes in the end: to our sign-in page, or to an address that the client or the domain has of its own. */
async function requireOwnPlace(provider: Provider, { redirectUri, clientId }: ExternalRequest): Promise<void> {
  if (redirectUri === undefined || redirectUri === `${env().BASE_URL}/signin`) return;
  const app = clientId === undefined ? undefined : await findApp(clientId);
  const { redirectUri: first, redirectUris = [] } = app?.resource ?? {};
  const allowed = 'allowedRedirects' in provider ? (provider.allowedRedirects as string[]) : [];
  const places = clientId === undefined ? allowed : [first, ...redirectUris];
  if (!places.includes(redirectUri))
    throw new AppError('invalid', 'This redirectUri is not one of the app’s own', { expression: 'redirectUri' });
}
