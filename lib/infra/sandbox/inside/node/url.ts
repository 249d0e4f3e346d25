import { received, wrongType } from '../node-util/functions.ts';
import { parse as parseQuery, stringify } from './querystring.ts';

const { URL, URLSearchParams } = globalThis;

export { URL, URLSearchParams };

type Legacy = {
  protocol: string | null;
  slashes: boolean | null;
  auth: string | null;
  host: string | null;
  port: string | null;
  hostname: string | null;
  hash: string | null;
  search: string | null;
  query: unknown;
  pathname: string | null;
  path: string | null;
  href: string;
};

/** Of these what follows the slashes is a host, and a path is never empty. */
const SLASHED = /^(?:https?|ftp|gopher|file|wss?):$/;

/** The older interface of Node (https://nodejs.org/api/url.html#urlparseurlstring-parsequerystring-slashesdenotehost). */
export function parse(text: string, readsQuery = false, slashesDenoteHost = false): Legacy {
  if (typeof text !== 'string')
    throw wrongType(`The "url" argument must be of type string. Received ${received(text)}`);
  const trimmed = text.trim().replace(/^[^?#]*/, (before) => before.replaceAll('\\', '/'));
  const scheme = /^[a-z\d.+-]+:/i.exec(trimmed)?.[0];
  const protocol = scheme?.toLowerCase() ?? null;
  const hasNoHost = protocol === 'javascript:';
  let rest = trimmed.slice(scheme?.length ?? 0);
  const mayHaveHost = slashesDenoteHost || scheme !== undefined || /^\/\/[^@/]+@[^@/]+/.test(rest);
  const slashes = mayHaveHost && !hasNoHost && rest.startsWith('//') ? true : null;
  if (slashes) rest = rest.slice(2);
  let found: Pick<Legacy, 'auth' | 'host' | 'port' | 'hostname'> = {
    auth: null,
    host: null,
    port: null,
    hostname: null,
  };
  if (!hasNoHost && (slashes || (protocol && !SLASHED.test(protocol)))) {
    const [authority] = /^[^/?#]*/.exec(rest)!;
    const at = authority.lastIndexOf('@');
    const [host] = /^[^\t\n\r "%';<>\\^`{|}]*/.exec(authority.slice(at + 1))!;
    rest = rest.slice(at + 1 + host.length);
    found = { auth: at < 0 ? null : decodeURIComponent(authority.slice(0, at)), ...hostOf(host) };
  }
  rest = rest.replace(
    /[\t\n\r "'<>\\^`{|}]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
  const [, path = '', search, hash] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(rest)!;
  const pathname = path || (protocol && SLASHED.test(protocol) && found.hostname ? '/' : null);
  const query = search?.slice(1) ?? null;
  const parts = {
    ...{ protocol, slashes, ...found, hash: hash ?? null, search: search ?? null },
    query: readsQuery ? parseQuery(query ?? '') : query,
    pathname,
    path: pathname || search ? `${pathname ?? ''}${search ?? ''}` : null,
  };
  return { ...parts, href: format(parts) };
}

function hostOf(text: string) {
  const [, name = '', port] = /^(.*?)(?::(\d*))?$/s.exec(text)!;
  const lower = name.toLowerCase();
  const hostname = /[^\0-\x7f]/.test(lower) ? domainToASCII(lower) : lower;
  return {
    host: `${hostname}${port ? `:${port}` : ''}`,
    port: port || null,
    hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
  };
}

type Formatted = Partial<Omit<Legacy, 'query' | 'port'> & { query: unknown; port: string | number | null }>;
type FormatOptions = { auth?: boolean; fragment?: boolean; search?: boolean };

export function format(url: string | URL | Formatted, options: FormatOptions = {}): string {
  if (typeof url === 'string') return parse(url).href;
  if (url instanceof URL) {
    const copy = new URL(url.href);
    if (options.auth === false) [copy.username, copy.password] = ['', ''];
    if (options.fragment === false) copy.hash = '';
    if (options.search === false) copy.search = '';
    return copy.href;
  }
  const { auth, hostname, port, query, hash } = url;
  const login = auth ? `${encodeURIComponent(auth).replace(/%3A/i, ':')}@` : '';
  const protocol = url.protocol?.replace(/:?$/, ':') ?? '';
  const named = hostname?.includes(':') ? `[${hostname.replace(/^\[|\]$/g, '')}]` : hostname;
  let host = url.host ? login + url.host : named ? `${login}${named}${port ? `:${port}` : ''}` : '';
  let pathname = (url.pathname ?? '').replaceAll('#', '%23').replaceAll('?', '%3F');
  if (url.slashes || (SLASHED.test(protocol) && (host || protocol === 'file:'))) {
    if (pathname && !pathname.startsWith('/')) pathname = `/${pathname}`;
    host = `//${host}`;
  }
  const given = typeof query === 'object' && query !== null ? stringify(query as never) : '';
  const search = (url.search || given).replaceAll('#', '%23').replace(/^(?=[^?])/, '?');
  return `${protocol}${host}${pathname}${search}${(hash ?? '').replace(/^(?=[^#])/, '#')}`;
}

export function resolve(from: string, to: string): string {
  const base = new URL(from, 'resolve://');
  const resolved = new URL(to, base);
  if (resolved.protocol !== 'resolve:') return resolved.href;
  const path = `${resolved.pathname}${resolved.search}${resolved.hash}`;
  // Between two that begin nowhere there is no beginning.
  return [from, to].some((one) => /^(?:[a-z\d.+-]+:|\/)/i.test(one)) ? path : path.replace(/^\//, '');
}

/** '' for what is no domain. */
export function domainToASCII(domain: string): string {
  const isMore = /[@:]/.test(domain) && !domain.startsWith('[');
  return (isMore ? null : URL.parse(`ws://${domain}`))?.hostname ?? '';
}

export function urlToHttpOptions(url: URL) {
  const { protocol, hostname, hash, search, pathname, href, port, username, password } = url;
  const auth = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    protocol,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    hash,
    search,
    pathname,
    href,
    path: `${pathname}${search}`,
    ...(port && { port: Number(port) }),
    ...((username || password) && { auth }),
  };
}
