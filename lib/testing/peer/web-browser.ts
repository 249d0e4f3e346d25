import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { encode } from 'next-auth/jwt';
import { env } from '#lib/base/env.ts';
import { type Owner, signIn } from '../people.ts';

/** A browser over the network that is signed in to the console, whose person says yes. */
export type WebBrowser = {
  /** Goes where it is sent until it leaves our site; the address there. `choice`: what its person says beside yes. */
  follow(address: URL | string, choice?: { patient?: string }): Promise<URL>;
  /** One step of that: where it is sent from there. */
  open(address: URL): Promise<URL>;
  /** The same, whatever the answer is. */
  look(address: URL): Promise<{ status: number; location: string | null; text: string }>;
  /** What a page of ours sends. */
  send(path: string, body: unknown): Promise<Response>;
};

export async function openWebBrowser(baseUrl: string, owner: Owner): Promise<WebBrowser> {
  const { login } = await signIn(owner);
  const token = { loginId: login, projectId: owner.projectId };
  const cookie = `next-auth.session-token=${await encode({ token, secret: env().AUTH_SECRET })}`;

  /** Not by `fetch`, which says of itself that it is no browser that follows a link (Sec-Fetch-Mode). */
  async function look(url: URL) {
    const headers = { cookie, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    const asked = get(url, { headers });
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return { status: answer.statusCode ?? 0, location: answer.headers.location ?? null, text: await text(answer) };
  }

  async function open(url: URL): Promise<URL> {
    const { status, location, text: said } = await look(url);
    if (!location) throw new Error(`${url}: ${status} ${said}`);
    return new URL(location, baseUrl);
  }

  async function send(path: string, body: unknown): Promise<Response> {
    const answer = await fetch(`${baseUrl}${path}`, {
      method: 'POST',
      headers: { cookie, origin: baseUrl, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return answer;
  }

  async function sayYes(page: URL, choice: object): Promise<URL> {
    const answer = await send('/auth/authorization', { request: page.search.slice(1), decision: 'allow', ...choice });
    return new URL(((await answer.json()) as { location: string }).location);
  }

  return {
    ...{ send, open, look },
    async follow(address, choice = {}) {
      let at = new URL(address);
      while (at.origin === baseUrl) at = at.pathname === '/consent' ? await sayYes(at, choice) : await open(at);
      return at;
    },
  };
}
