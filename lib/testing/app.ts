import { createHash } from 'node:crypto';
import { newSecret } from '#lib/base/ids.ts';
import type { ClientApplication } from '#lib/protocol/fhir/client-types.ts';
import { type Browser, sentTo } from './browser.ts';
import { makeClient, type Owner, type TestClient } from './people.ts';

export const CALLBACK = 'https://app.example.com/callback';

/** An app of the project with one address. */
export function makeApp(owner: Owner, more: Partial<ClientApplication> = {}): Promise<TestClient> {
  return makeClient(owner.projectId, { name: 'Growth charts', redirectUris: [CALLBACK], ...more });
}

export type Asked = { path: string; query: string; verifier: string };

/** An authorization request as a careful app makes it. `change`: what is different; undefined leaves it out. */
export function ask(client: { id: string }, change: Record<string, string | undefined> = {}): Asked {
  const verifier = newSecret(48);
  const all = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: CALLBACK,
    scope: 'openid',
    state: 's-1',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...change,
  };
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const query = String(new URLSearchParams(given));
  return { path: `/oauth2/authorize?${query}`, query, verifier };
}

/** Says yes where the browser was asked; where it goes then. */
export async function allow(browser: Browser, page: URL, membership?: string): Promise<URL> {
  if (page.pathname !== '/consent') throw new Error(`Nobody is asked at ${page}`);
  const body = { request: page.search.slice(1), decision: 'allow', membership };
  const answer = await browser.send('POST', '/auth/authorization', body);
  if (answer.status !== 200) throw new Error(answer.text);
  return new URL(answer.body.location);
}

/** From the request to the code, with a yes where one is asked for. */
export async function authorizeWith(browser: Browser, { path }: Asked): Promise<URL> {
  const next = sentTo(await browser.open(path));
  return next.pathname === '/consent' ? allow(browser, next) : next;
}
