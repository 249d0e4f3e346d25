import { Buffer } from './buffer.ts';

/** What bots import that were written for Node before it had a `fetch`: the one that there is, with what node-fetch 2 gives beside it. */
const { AbortController, Blob, DOMException, File, FormData, Headers, Request, Response } = globalThis;

async function fetch(input: RequestInfo | URL, init?: RequestInit) {
  const response = await globalThis.fetch(input, init);
  Object.assign(response.headers, { raw: () => rawOf(response.headers) });
  return Object.assign(response, { buffer: async () => Buffer.from(await response.arrayBuffer()) });
}

function rawOf(headers: Headers): Record<string, string[]> {
  const raw = Object.fromEntries([...headers].map(([name, value]) => [name, [value]]));
  const cookies = headers.getSetCookie();
  return cookies.length > 0 ? { ...raw, 'set-cookie': cookies } : raw;
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
export const isRedirect = (status: number) => REDIRECTS.includes(status);
const [AbortError, FetchError] = [DOMException, TypeError];

export { AbortController, AbortError, Blob, FetchError, File, FormData, fetch, Headers, Request, Response };
