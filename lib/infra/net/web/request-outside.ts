import type { IncomingMessage } from 'node:http';
import { openOutside } from '../open-outside.ts';
import { isBadPort } from './bad-ports.ts';
import { OutsideFailed, toOutsideFailed } from './outside-failed.ts';
import { readUnpacked } from './read-unpacked.ts';
import { isRedirect, type OutsideRequest, redirected } from './redirected.ts';

export type OutsideAnswer = {
  status: number;
  statusText: string;
  headers: [string, string][];
  body: Buffer;
  /** Of the last request. */
  url: URL;
  isRedirected: boolean;
};

export type OutsideLimits = {
  signal: AbortSignal;
  redirect: 'follow' | 'error' | 'manual';
  /** Of all of it, redirects among it. */
  totalMs: number;
  /** Throws an OutsideFailed for an address that is not to be asked; hears of each before it is. */
  allow: (url: URL) => void;
  /** Of the answer's body, packed and unpacked. */
  mostBytes: number;
  /** Hears how many bytes come, before they are kept; may throw an OutsideFailed. */
  hold: (bytes: number) => void;
};

const MOST_REDIRECTS = 10;
const CONNECT_MS = 10_000;
const MOST_HEADERS = 200;

/**
 * A request that somebody else wrote, to an address that they chose (open-outside.ts), with what it was redirected to as `fetch` follows it. All of the
 * answer, within limits; throws an OutsideFailed, and has closed its connection then.
 */
export async function requestOutside(request: OutsideRequest, limits: OutsideLimits): Promise<OutsideAnswer> {
  const late = AbortSignal.timeout(limits.totalMs);
  const signal = AbortSignal.any([limits.signal, late]);
  try {
    return await follow(request, { ...limits, signal });
  } catch (error) {
    if (limits.signal.aborted) throw new OutsideFailed('ABORTED', 'it was given up');
    if (late.aborted) throw new OutsideFailed('TIMEOUT', `there was no whole answer within ${limits.totalMs / 1000} s`);
    throw toOutsideFailed(error);
  }
}

async function follow(first: OutsideRequest, limits: OutsideLimits): Promise<OutsideAnswer> {
  let request = first;
  for (let count = 0; ; count += 1) {
    const response = await open(request, limits);
    try {
      const status = response.statusCode ?? 502;
      const { location } = response.headers;
      if (limits.redirect === 'manual' || location === undefined || !isRedirect(status))
        return await toAnswer(response, request, count > 0, limits);
      if (limits.redirect === 'error') throw new OutsideFailed('REDIRECT', 'the answer is a redirect');
      if (count === MOST_REDIRECTS) throw new OutsideFailed('REDIRECT', `more than ${MOST_REDIRECTS} redirects`);
      request = redirected(request, status, location);
    } finally {
      response.destroy();
    }
  }
}

function open({ method, url, headers, body }: OutsideRequest, { signal, allow }: OutsideLimits) {
  if (url.username !== '' || url.password !== '')
    throw new OutsideFailed('CREDENTIALS', 'an address with a user name or password is not asked: send a header');
  if (isBadPort(url)) throw new OutsideFailed('PORT', `port ${url.port} is none for HTTP`);
  allow(url);
  return openOutside(url.href, { signal, method, headers, body, connectMs: CONNECT_MS });
}

async function toAnswer(
  response: IncomingMessage,
  { method, url }: OutsideRequest,
  isRedirected: boolean,
  { mostBytes, signal, hold }: OutsideLimits,
): Promise<OutsideAnswer> {
  const { statusCode: status = 502, statusMessage: statusText = '', rawHeaders } = response;
  if (rawHeaders.length / 2 > MOST_HEADERS)
    throw new OutsideFailed('HEADERS', `the answer has more than ${MOST_HEADERS} headers`);
  const headers: [string, string][] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.push([rawHeaders[at]!, rawHeaders[at + 1]!]);
  const body = await readUnpacked(response, { mostBytes, signal, hasBody: method.toUpperCase() !== 'HEAD', hold });
  if (!response.complete) throw new OutsideFailed('ECONNRESET', 'the connection was closed');
  return { status, statusText, headers, body, url, isRedirected };
}
