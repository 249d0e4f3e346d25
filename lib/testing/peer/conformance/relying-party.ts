import * as oidc from 'openid-client';
import { makeApp } from '../../app.ts';
import { callApi } from '../../call-api.ts';
import { makeOwner, type Owner, signIn, type TestClient } from '../../people.ts';
import { type PeerApi, startApi } from '../start-api.ts';
import { openWebBrowser, type WebBrowser } from '../web-browser.ts';

/** What the conformance suite of the OpenID Foundation is: a relying party with two clients, and a browser that its tester signs in with. */
export type RelyingParty = {
  api: PeerApi;
  owner: Owner;
  client: TestClient;
  config: oidc.Configuration;
  browser: WebBrowser;
  /** As the suite asks; `change` is what a module asks for besides. No PKCE, state or nonce unless it says so. */
  ask(change?: Record<string, string>): URL;
  /** From the request to the answer at the callback. The tester signs in when they are asked to. */
  answer(change?: Record<string, string>): Promise<URLSearchParams>;
  /** And to the tokens, checked as openid-client does. */
  tokens(change?: Record<string, string>): Promise<Tokens>;
  redeem(code: string): Promise<Tokens>;
};

export type Tokens = oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers;

const CALLBACK = 'https://app.example.com/callback';
const STATE = 'suite-state';

export async function startRelyingParty(): Promise<RelyingParty> {
  const api = await startApi();
  const owner = await makeOwner();
  await fillProfile(owner);
  const client = await makeApp(owner, { redirectUris: [CALLBACK, `${CALLBACK}-2`] });
  let browser = await openWebBrowser(api.baseUrl, owner);
  const config = await oidc.discovery(
    new URL(api.baseUrl),
    client.id,
    undefined,
    oidc.ClientSecretBasic(client.secret),
    {
      execute: [oidc.allowInsecureRequests],
    },
  );

  function ask(change: Record<string, string> = {}): URL {
    const address = new URL(config.serverMetadata().authorization_endpoint!);
    const all = { response_type: 'code', client_id: client.id, redirect_uri: CALLBACK, scope: 'openid', state: STATE };
    for (const [name, value] of Object.entries({ ...all, ...change })) {
      if (value !== '') address.searchParams.set(name, value);
    }
    return address;
  }

  async function land(address: URL): Promise<URL> {
    let at = address;
    for (;;) {
      const next = at.pathname === '/consent' ? await browser.follow(at) : await browser.open(at);
      if (next.origin !== api.baseUrl) return next;
      at = next;
      if (at.pathname !== '/signin') continue;
      // The tester signs in anew.
      browser = await openWebBrowser(api.baseUrl, owner);
      at = new URL(at.searchParams.get('next')!, api.baseUrl);
    }
  }

  async function grant(landed: URL, change: Record<string, string>): Promise<Tokens> {
    return oidc.authorizationCodeGrant(config, landed, {
      expectedState: change.state ?? STATE,
      ...(change.nonce && { expectedNonce: change.nonce }),
      ...(change.max_age && { maxAge: Number(change.max_age) }),
      idTokenExpected: true,
    });
  }

  return {
    ...{ api, owner, client, config, ask },
    get browser() {
      return browser;
    },
    answer: async (change) => (await land(ask(change))).searchParams,
    tokens: async (change = {}) => grant(await land(ask(change)), change),
    redeem: (code) => {
      const landed = new URL(CALLBACK);
      landed.search = String(new URLSearchParams({ code, state: STATE, iss: api.baseUrl }));
      return grant(landed, {});
    },
  };
}

/** So that every claim has something to tell. */
async function fillProfile(owner: Owner): Promise<void> {
  const { access, tokens } = await signIn(owner);
  const path = `/fhir/R4/${(tokens.profile as { reference: string }).reference}`;
  const { body } = await callApi(`Bearer ${access}`, 'GET', path);
  const more = {
    telecom: [{ system: 'phone', value: '+31 20 123' }],
    address: [{ line: ['Long Road 1'], city: 'Utrecht', postalCode: '3511', country: 'NL' }],
  };
  const answer = await callApi(`Bearer ${access}`, 'PUT', path, { body: { ...body, ...more } });
  if (answer.status !== 200) throw new Error(answer.text);
}
