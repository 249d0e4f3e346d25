import type { Readable } from 'node:stream';
import { Buffer } from '../node/buffer.ts';
import { piecesOf } from './pieces.ts';

/** What bots import that were written for Node before it had a `fetch`: the one that there is, as node-fetch 2 gives it (https://github.com/node-fetch/node-fetch/tree/2.x). */
const { AbortController, AbortSignal, Blob, File, FormData } = globalThis;

/** Those of node-fetch alone; `agent`, `compress` and how many redirects are followed are the server's. */
type Options = Omit<RequestInit, 'body'> & { body?: unknown; timeout?: number; size?: number; follow?: number };

class Headers extends globalThis.Headers {
  raw(): Record<string, string[]> {
    const raw = Object.fromEntries([...this].map(([name, value]) => [name, [value]]));
    const cookies = this.getSetCookie();
    return cookies.length > 0 ? { ...raw, 'set-cookie': cookies } : raw;
  }
}

class Request extends globalThis.Request {
  readonly timeout: number;
  readonly size: number;
  readonly follow: number | undefined;

  constructor(input: unknown, { body, signal, timeout, size, follow, ...init }: Options = {}) {
    const from = input instanceof Request ? input : undefined;
    const { address, authorization } = signedIn(toAddress(input));
    super(address, {
      ...init,
      signal: toSignal(signal),
      ...((body ?? null) !== null && { body: toBody(body) }),
    });
    Object.setPrototypeOf(this.headers, Headers.prototype);
    if (authorization && !this.headers.has('authorization')) this.headers.set('authorization', authorization);
    this.timeout = timeout ?? from?.timeout ?? 0;
    this.size = size ?? from?.size ?? 0;
    this.follow = follow ?? from?.follow;
  }
}

/** A body of Node is a stream of Node. */
const bodies = new WeakMap<object, Readable>();

declare class WebResponse {
  constructor(body?: BodyInit, init?: ResponseInit);
  readonly headers: globalThis.Headers;
  readonly status: number;
  readonly url: string;
  get body(): unknown;
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  text(): Promise<string>;
  json(): Promise<unknown>;
  clone(): WebResponse;
}

class Response extends (globalThis.Response as unknown as typeof WebResponse) {
  declare readonly size?: number;
  declare readonly headers: Headers;

  constructor(body?: unknown, init?: ResponseInit) {
    super(toBody(body), init);
    Object.setPrototypeOf(this.headers, Headers.prototype);
  }

  get body(): Readable | null {
    const known = bodies.get(this);
    if (known) return known;
    // It is opened when it is read: until then all of it can be had at once.
    const open = () => super.body as AsyncIterable<Uint8Array> | null;
    // Of an answer there always is one, as in Node.
    if (this.url === '' && !open()) return null;
    const { Readable } = require('../node/stream.ts').streams;
    const body: Readable = Readable.from(readAll(open), { objectMode: false });
    bodies.set(this, body);
    return body;
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = await super.bytes();
    const { size = 0, url } = this;
    if (size > 0 && bytes.byteLength > size)
      throw new FetchError(`content size at ${url} over limit: ${size}`, 'max-size');
    return bytes;
  }

  async buffer(): Promise<Buffer> {
    const { buffer, byteOffset, byteLength } = await this.bytes();
    return Buffer.from(buffer, byteOffset, byteLength);
  }

  async text(): Promise<string> {
    return this.size ? new TextDecoder().decode(await this.bytes()) : super.text();
  }

  async json(): Promise<unknown> {
    const text = await this.text();
    try {
      return JSON.parse(text);
    } catch (error) {
      const reason = (error as Error).message;
      throw new FetchError(`invalid json response body at ${this.url} reason: ${reason}`, 'invalid-json');
    }
  }

  clone(): Response {
    return asOwn(super.clone(), this.size);
  }
}

function asOwn(response: object, size = 0): Response {
  Object.setPrototypeOf((response as Response).headers, Headers.prototype);
  return Object.assign(Object.setPrototypeOf(response, Response.prototype), { size });
}

async function* readAll(open: () => AsyncIterable<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const pieces = open();
  if (pieces) yield* pieces;
}

class FetchError extends Error {
  declare readonly code?: string;
  declare readonly errno?: string;
  declare readonly type?: string;

  constructor(message: string, type?: string, cause?: { code?: string }) {
    super(message);
    Object.assign(this, { type });
    if (cause) Object.assign(this, { code: cause.code, errno: cause.code });
  }
}

class AbortError extends Error {
  readonly type = 'aborted';
}
Object.assign(FetchError.prototype, { name: 'FetchError' });
Object.assign(AbortError.prototype, { name: 'AbortError' });

async function fetchOf(input: unknown, init?: Options): Promise<Response> {
  const request = new Request(input, init);
  const { url, signal, timeout, size, follow, redirect } = request;
  const late = new AbortController();
  const timer = timeout > 0 ? setTimeout(() => late.abort(), timeout) : undefined;
  const isFollowed = redirect === 'follow' && follow !== 0;
  try {
    const response = await globalThis.fetch(request, {
      signal: AbortSignal.any([signal, late.signal]),
      redirect: redirect === 'follow' && !isFollowed ? 'error' : redirect,
    });
    const own = asOwn(response, size);
    const location = own.headers.get('location');
    if (redirect === 'manual' && isRedirect(own.status) && location !== null && URL.canParse(location, url))
      own.headers.set('location', new URL(location, url).href);
    return own;
  } catch (error) {
    if (signal.aborted) throw new AbortError('The user aborted a request.');
    if (late.signal.aborted) throw new FetchError(`network timeout at: ${url}`, 'request-timeout');
    throw toFetchError(error, request);
  } finally {
    clearTimeout(timer);
  }
}

function toFetchError(error: unknown, { url, redirect }: Request): unknown {
  const cause =
    error instanceof TypeError ? (error.cause as { code?: string; message?: string } | undefined) : undefined;
  if (!cause) return error;
  if (cause.code !== 'REDIRECT')
    return new FetchError(`request to ${url} failed, reason: ${cause.message}`, 'system', cause);
  return redirect === 'error'
    ? new FetchError(`uri requested responds with a redirect, redirect mode is set to error: ${url}`, 'no-redirect')
    : new FetchError(`maximum redirect reached at: ${url}`, 'max-redirect');
}

/** An address of Node's old kind is an object with a `href`. */
function toAddress(input: unknown): string | globalThis.Request {
  if (input instanceof globalThis.Request) return input;
  return String((input as { href?: unknown } | null)?.href ?? input);
}

/** Name and password that stand in an address go as a header, unless the bot gives one. */
function signedIn(address: string | globalThis.Request): {
  address: string | globalThis.Request;
  authorization?: string;
} {
  if (typeof address !== 'string' || !address.includes('@') || !URL.canParse(address)) return { address };
  const url = new URL(address);
  const { username, password } = url;
  if (!username && !password) return { address };
  url.username = '';
  url.password = '';
  const pair = [username, password].map(decodeURIComponent).join(':');
  return { address: url.href, authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

function toBody(body: unknown): BodyInit {
  const pieces = piecesOf(body);
  if (!pieces || pieces === body) return body as BodyInit;
  const { getBoundary } = body as { getBoundary?: () => string };
  // Of a form, which tells its type by it.
  return (getBoundary ? Object.assign(pieces, { getBoundary: () => getBoundary.call(body) }) : pieces) as BodyInit;
}

/** Packages bring signals of their own, from before there was one. */
function toSignal(signal: AbortSignal | null | undefined): AbortSignal | null | undefined {
  if (!signal || signal instanceof AbortSignal || typeof (signal as AbortSignal).addEventListener !== 'function')
    return signal;
  const { aborted } = signal as AbortSignal;
  const controller = new AbortController();
  if (aborted) controller.abort();
  else (signal as AbortSignal).addEventListener('abort', () => controller.abort());
  return controller.signal;
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
const isRedirect = (status: number) => REDIRECTS.includes(status);

const named = { AbortController, AbortError, Blob, FetchError, File, FormData, Headers, isRedirect, Request, Response };
/** All of it hangs on the function, which is what `require` gives. */
export const fetch = Object.assign(fetchOf, named);
Object.assign(fetch, { default: fetch, fetch });
