import { encode } from 'next-auth/jwt';
import { env } from '#lib/base/env.ts';
import { type Owner, signIn } from '../people.ts';

/** A browser over the network that is signed in to the console, whose person says yes. */
export type WebBrowser = {
  /** Goes where it is sent until it leaves our site; the address there. */
  follow(address: URL | string): Promise<URL>;
  /** What a page of ours sends. */
  send(path: string, body: unknown): Promise<Response>;
};

export async function openWebBrowser(baseUrl: string, owner: Owner): Promise<WebBrowser> {
  const { login } = await signIn(owner);
  const token = { loginId: login, projectId: owner.projectId };
  const cookie = `next-auth.session-token=${await encode({ token, secret: env().AUTH_SECRET })}`;

  async function open(url: URL): Promise<URL> {
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
    const location = answer.headers.get('location');
    if (!location) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
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

  async function sayYes(page: URL): Promise<URL> {
    const answer = await send('/auth/authorization', { request: page.search.slice(1), decision: 'allow' });
    return new URL(((await answer.json()) as { location: string }).location);
  }

  return {
    send,
    async follow(address) {
      let at = new URL(address);
      while (at.origin === baseUrl) at = at.pathname === '/consent' ? await sayYes(at) : await open(at);
      return at;
    },
  };
}
