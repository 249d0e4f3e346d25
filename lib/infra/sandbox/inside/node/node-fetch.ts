/** What bots import that were written for Node before it had a `fetch`: the one that there is. */
const { AbortController, Blob, DOMException, fetch, File, FormData, Headers, Request, Response } = globalThis;

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
export const isRedirect = (status: number) => REDIRECTS.includes(status);
const [AbortError, FetchError] = [DOMException, TypeError];

export { AbortController, AbortError, Blob, FetchError, File, FormData, fetch, Headers, Request, Response };
