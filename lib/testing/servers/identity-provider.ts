import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

const CLIENT_ID = 'gatehouse';
/** What it calls a sign-in with more than a password. */
export const STRONG = 'urn:example:strong';
export const CLIENT_SECRET = 'a secret of sixty-four characters, as they have them: 0123456789';

/** Who signs in there: what the provider says of them. */
export type Claims = {
  sub: string;
  email?: string;
  email_verified?: boolean;
  given_name?: string;
  family_name?: string;
};

export type IdentityProvider = {
  issuer: string;
  /** Who sits before the browser; they let everything in. */
  person: Claims;
  /** How they sign in there, and how many seconds ago: it says so in the ID token. */
  strength?: { acr?: string; amr?: string[]; ago?: number };
  /** As a client or a domain names it. */
  settings: Record<string, unknown>;
  /** Goes there, signs in, and says where the browser is sent back to. */
  visit(address: URL | string): Promise<URL>;
  /** Of the person, as another program of theirs has it. */
  accessToken(): Promise<string>;
  stop(): Promise<void>;
};

/** A real one, on this machine: `oidc-provider`, whose person signs in and agrees at once. */
export async function startIdentityProvider(redirectUris: string[]): Promise<IdentityProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const own = `${issuer}/own`;
  const provider = new Provider(
    issuer,
    configuration(() => kept.person, [...redirectUris, own]),
  );
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return answer(request, response);
    const { ago = 0, ...strength } = kept.strength ?? {};
    const ts = Math.floor(Date.now() / 1000) - ago;
    void provider.interactionFinished(request, response, { login: { accountId: kept.person.sub, ts, ...strength } });
  });
  const kept: IdentityProvider = {
    issuer,
    person: { sub: 'nobody' },
    settings: {
      issuer,
      authorizeUrl: `${issuer}/auth`,
      tokenUrl: `${issuer}/token`,
      userInfoUrl: `${issuer}/me`,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      usePkce: true,
    },
    visit: (address) => follow(new URL(address), issuer),
    accessToken: () => askToken(issuer, own),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return kept;
}

function configuration(person: () => Claims, redirectUris: string[]) {
  const client = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: redirectUris };
  return {
    clients: [{ ...client, token_endpoint_auth_method: 'client_secret_post' }],
    acrValues: [STRONG],
    claims: {
      openid: ['sub', 'acr', 'amr'],
      email: ['email', 'email_verified'],
      profile: ['name', 'given_name', 'family_name'],
    },
    pkce: { required: () => false },
    cookies: { keys: ['of the tests'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_ctx: unknown, sub: string) => ({ accountId: sub, claims: () => person() }),
    loadExistingGrant: letIn,
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
  };
}

type Context = {
  oidc: {
    client: { clientId: string };
    session: { accountId: string };
    provider: { Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<string> } };
  };
};

async function letIn({ oidc }: Context) {
  const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
  grant.addOIDCScope('openid email profile');
  await grant.save();
  return grant;
}

/** As a browser that starts anew: its cookies are those of this visit. */
async function follow(from: URL, issuer: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let at = from;
  while (at.origin === issuer && at.pathname !== '/own') {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(at, { redirect: 'manual', headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (!location) throw new Error(`${at}: ${answer.status} ${await answer.text()}`);
    at = new URL(location, at);
  }
  return at;
}

async function askToken(issuer: string, redirectUri: string): Promise<string> {
  const query = { response_type: 'code', client_id: CLIENT_ID, redirect_uri: redirectUri, scope: 'openid email' };
  const back = await follow(new URL(`${issuer}/auth?${new URLSearchParams(query)}`), issuer);
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: back.searchParams.get('code') ?? '',
    redirect_uri: redirectUri,
    client_id: CLIENT_ID,
    client_secret: CLIENT_SECRET,
  });
  const answer = await fetch(`${issuer}/token`, { method: 'POST', body });
  return String(((await answer.json()) as Record<string, unknown>).access_token);
}
