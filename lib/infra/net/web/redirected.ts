import { isUtf8 } from 'node:buffer';

export type OutsideRequest = {
  method: string;
  url: URL;
  /** In lower case; a name may repeat. */
  headers: [string, string][];
  body?: string | Uint8Array;
};

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** What a request says of its body, which goes with it. */
const OF_BODY: ReadonlySet<string> = new Set([
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-type',
]);
/** What is meant for one server. */
const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'cookie2', 'proxy-authorization']);

export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status);
}

/** The next request, by https://fetch.spec.whatwg.org/#http-redirect-fetch. Throws a TypeError for a location that is no URL. */
export function redirected(request: OutsideRequest, status: number, location: string): OutsideRequest {
  // Node gives a header byte by byte; what servers write beyond ASCII is UTF-8, as browsers take it.
  const bytes = Buffer.from(location, 'latin1');
  const url = new URL(isUtf8(bytes) ? bytes.toString() : location, request.url);
  if (url.hash === '') url.hash = request.url.hash;
  let { method, headers, body } = request;
  const asGet = status === 303 ? method !== 'GET' && method !== 'HEAD' : status < 303 && method === 'POST';
  if (asGet) {
    method = 'GET';
    body = undefined;
    headers = headers.filter(([name]) => !OF_BODY.has(name));
  }
  if (url.origin !== request.url.origin) headers = headers.filter(([name]) => !CREDENTIALS.has(name));
  return { method, url, headers, body };
}
