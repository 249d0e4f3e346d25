import { stringify } from '../primordials.ts';
import { Body, type Content, toContent } from './body.ts';
import { shared } from './given.ts';
import { Headers, type HeadersInit } from './headers.ts';

type Init = { status?: number; statusText?: string; headers?: HeadersInit };
/** What the host says of an answer. */
export type Told = {
  url: string;
  status: number;
  statusText: string;
  headers: [string, string][];
  isRedirected: boolean;
};

const NULL_BODY: readonly number[] = [101, 103, 204, 205, 304];
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
const MADE = Symbol('made');

/** https://fetch.spec.whatwg.org/#response-class */
export class Response extends Body {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly url: string = '';
  readonly redirected: boolean = false;
  readonly type: string = 'default';

  constructor(body: unknown = null, init: Init = {}, made?: symbol) {
    const isMade = made === MADE;
    const given =
      body === null || body === undefined ? undefined : isMade ? { content: body as Content } : toContent(body);
    super(given?.content);
    const { status = 200, statusText = '' } = init;
    if (!isMade && !(status >= 200 && status <= 599)) throw new RangeError('Response: status must be 200 to 599');
    if (!isMade && given && NULL_BODY.includes(status)) throw new TypeError('Response: this status has no body');
    this.status = Math.trunc(status);
    this.statusText = String(statusText);
    this.headers = new Headers(init.headers);
    const type = given && 'type' in given ? given.type : undefined;
    if (type && !this.headers.has('content-type')) this.headers.set('content-type', type);
  }

  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }

  clone(): Response {
    const copy = made(this.copyContent(), this);
    return Object.assign(copy, { url: this.url, redirected: this.redirected, type: this.type });
  }

  static json(value: unknown, init: Init = {}): Response {
    const headers = new Headers(init.headers);
    if (!headers.has('content-type')) headers.set('content-type', 'application/json');
    const text = stringify(value);
    if (text === undefined) throw new TypeError('Response.json: the value has no JSON form');
    return new Response(text, { ...init, headers });
  }

  static error(): Response {
    return Object.assign(made(undefined, { status: 0 }), { type: 'error' });
  }

  static redirect(url: unknown, status = 302): Response {
    if (!REDIRECTS.includes(status)) throw new RangeError('Response.redirect: this is no status of a redirect');
    return new Response(null, { status, headers: { location: new (shared().extras.globals.URL)(url).toString() } });
  }

  get [Symbol.toStringTag](): string {
    return 'Response';
  }
}

/** An answer from outside. */
export function responseOf(content: Content, { url, status, statusText, headers, isRedirected }: Told): Response {
  const response = made(NULL_BODY.includes(status) ? undefined : content, { status, statusText });
  for (const [name, value] of headers) {
    // What a server sent and the standard does not know as a header is left out.
    try {
      response.headers.append(name, value);
    } catch {}
  }
  return Object.assign(response, { url: url.replace(/#.*$/, ''), redirected: isRedirected, type: 'basic' });
}

function made(content: Content | undefined, init: Init): Response {
  return new Response(content ?? null, init, MADE);
}
