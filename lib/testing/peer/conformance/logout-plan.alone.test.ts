import * as oidc from 'openid-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openWebBrowser, type WebBrowser } from '../web-browser.ts';
import { type RelyingParty, startRelyingParty, type Tokens } from './relying-party.ts';

/**
 * The modules of the OpenID Foundation's conformance suite, plan oidcc-rp-initiated-logout-certification-test-plan (OpenID Connect RP-Initiated
 * Logout 1.0), each by its name, with what it checks.
 */
const BACK = 'https://app.example.com/callback';
let rp: RelyingParty;
/** A browser of its own for each: it signs out. */
let browser: WebBrowser;
let tokens: Tokens;

beforeAll(async () => {
  rp = await startRelyingParty();
}, 60_000);
afterAll(() => rp?.api.stop());
beforeEach(async () => {
  browser = await openWebBrowser(rp.api.baseUrl, rp.owner);
  tokens = await oidc.authorizationCodeGrant(rp.config, await browser.follow(rp.ask()), {
    expectedState: 'suite-state',
  });
});

type Sent = { status: number; location: string | null };

/** Where the browser is sent by the end session endpoint. */
async function leave(params: Record<string, string>): Promise<Sent> {
  const address = new URL(rp.config.serverMetadata().end_session_endpoint!);
  address.search = String(new URLSearchParams(params));
  const { status, location } = await browser.look(address);
  return { status, location };
}

const full = () => ({ id_token_hint: tokens.id_token!, post_logout_redirect_uri: BACK, state: 'bye' });

/** As the suite asks after each: is anybody signed in? */
async function isSignedIn(): Promise<boolean> {
  const answer = await browser.open(rp.ask({ prompt: 'none' }));
  return answer.searchParams.get('error') === null;
}

it('oidcc-rp-initiated-logout-discovery-endpoint-verification', () => {
  const { end_session_endpoint } = rp.config.serverMetadata();
  expect(new URL(end_session_endpoint!).pathname).toBe('/oauth2/logout');
});

it('oidcc-rp-initiated-logout', async () => {
  expect(await isSignedIn()).toBe(true);
  expect(await leave(full())).toEqual({ status: 303, location: `${BACK}?state=bye` });
  expect(await isSignedIn()).toBe(false);
  await expect(oidc.fetchUserInfo(rp.config, tokens.access_token, rp.owner.userId)).rejects.toThrow();
});

it('oidcc-rp-initiated-logout-no-state', async () => {
  const { state: _, ...rest } = full();
  expect(await leave(rest)).toEqual({ status: 303, location: BACK });
  expect(await isSignedIn()).toBe(false);
});

it('oidcc-rp-initiated-logout-no-post-logout-redirect-uri', async () => {
  const { id_token_hint } = full();
  expect(await leave({ id_token_hint })).toEqual({ status: 303, location: '/signin?reason=signed-out' });
  expect(await isSignedIn()).toBe(false);
});

describe('the person is asked, and nobody is sent anywhere', () => {
  const ASKED = { status: 303, location: '/signout' };
  const REFUSED = { status: 400, location: null };
  const otherSignature = (token: string) => `${token.slice(0, -8)}${token.endsWith('AAAAAAAA') ? 'B' : 'A'.repeat(8)}`;
  it.each<[string, () => Record<string, string>, Sent]>([
    ['oidcc-rp-initiated-logout-no-params', () => ({}), ASKED],
    ['oidcc-rp-initiated-logout-only-state', () => ({ state: 'bye' }), ASKED],
    ['oidcc-rp-initiated-logout-no-id-token-hint', () => ({ post_logout_redirect_uri: BACK, state: 'bye' }), REFUSED],
    ['oidcc-rp-initiated-logout-bad-id-token-hint', () => ({ ...full(), id_token_hint: 'not.a.token' }), REFUSED],
    [
      'oidcc-rp-initiated-logout-modified-id-token-hint',
      () => ({ ...full(), id_token_hint: otherSignature(tokens.id_token!) }),
      REFUSED,
    ],
    [
      'oidcc-rp-initiated-logout-bad-post-logout-redirect-uri',
      () => ({ ...full(), post_logout_redirect_uri: 'https://app.example.com/not-registered' }),
      REFUSED,
    ],
    [
      'oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri',
      () => ({ ...full(), post_logout_redirect_uri: `${BACK}?foo=bar` }),
      REFUSED,
    ],
  ])('%s', async (_, params, expected) => {
    expect(await leave(params())).toEqual(expected);
    expect(await isSignedIn()).toBe(true);
  });
});
