import { AbortController, AbortSignal } from './abort.ts';
import { Body, type Content, toContent } from './body.ts';
import { shared } from './given.ts';
import { Headers, type HeadersInit } from './headers.ts';

export type RequestInit = {
  method?: string;
  headers?: HeadersInit;
  body?: unknown;
  signal?: AbortSignal | null;
  redirect?: string;
} & Partial<Record<'cache' | 'credentials' | 'integrity' | 'keepalive' | 'mode' | 'referrer' | 'duplex', unknown>>;

const NORMALIZED: readonly string[] = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH'];
const FORBIDDEN: readonly string[] = ['CONNECT', 'TRACE', 'TRACK'];
const MODES: readonly string[] = ['follow', 'error', 'manual'];

/** https://fetch.spec.whatwg.org/#request-class, as far as it means something without a page. */
export class Request extends Body {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly redirect: string;
  readonly signal: AbortSignal;
  readonly cache = 'default';
  readonly credentials = 'same-origin';
  readonly destination = '';
  readonly integrity = '';
  readonly keepalive = false;
  readonly mode = 'cors';
  readonly referrer = 'about:client';
  readonly referrerPolicy = '';
  readonly duplex = 'half';

  constructor(input: unknown, init: RequestInit = {}) {
    const from = input instanceof Request ? input : undefined;
    const method = toMethod(init.method ?? from?.method ?? 'GET');
    const given = contentOf(from, init);
    if (given && (method === 'GET' || method === 'HEAD'))
      throw new TypeError('Request with GET/HEAD method cannot have body');
    super(given?.content);
    this.method = method;
    this.url = from?.url ?? toUrl(input);
    this.headers = new Headers((init.headers as HeadersInit) ?? from?.headers);
    if (given?.type && !this.headers.has('content-type')) this.headers.set('content-type', given.type);
    this.redirect = init.redirect ?? from?.redirect ?? 'follow';
    if (!MODES.includes(this.redirect)) throw new TypeError('Request: redirect is follow, error or manual');
    this.signal = toSignal(init.signal === undefined ? from?.signal : init.signal);
  }

  clone(): Request {
    const copy = new Request(this.url, {
      method: this.method,
      headers: this.headers,
      signal: this.signal,
      redirect: this.redirect,
    });
    const content = this.copyContent();
    return content ? new Request(copy, { body: bodyOf(content), headers: this.headers }) : copy;
  }

  get [Symbol.toStringTag](): string {
    return 'Request';
  }
}

function contentOf(from: Request | undefined, { body }: RequestInit): { content: Content; type?: string } | undefined {
  if (body !== undefined) return body === null ? undefined : toContent(body);
  const content = from?.take();
  return content && { content };
}

function bodyOf(content: Content): unknown {
  if ('text' in content) return content.text;
  return 'bytes' in content ? content.bytes : content.pieces;
}

function toMethod(given: unknown): string {
  const method = String(given);
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(method))
    throw new TypeError(`'${method.slice(0, 100)}' is not a valid HTTP method.`);
  const upper = method.toUpperCase();
  if (FORBIDDEN.includes(upper)) throw new TypeError(`'${method}' HTTP method is unsupported.`);
  return NORMALIZED.includes(upper) ? upper : method;
}

function toUrl(input: unknown): string {
  const url = shared().extras.globals.URL.parse(String(input)) as unknown as URL | null;
  if (!url) throw new TypeError(`Failed to parse URL from ${String(input).slice(0, 200)}`);
  if (url.username !== '' || url.password !== '')
    throw new TypeError('Request cannot be constructed from a URL that includes credentials');
  return url.href;
}

function toSignal(signal: unknown): AbortSignal {
  if (signal === undefined || signal === null) return new AbortController().signal;
  if (signal instanceof AbortSignal) return signal;
  throw new TypeError('Request: signal must be an AbortSignal');
}
