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

/** RFC 3986, appendix B. */
const PARTS = /^(?:([^:/?#]+):)?(?:(\/\/)([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?$/s;

/** The older interface of Node (https://nodejs.org/api/url.html#urlparseurlstring-parsequerystring-slashesdenotehost). */
export function parse(text: string, readsQuery = false): Legacy {
  const [, scheme, slashes, authority, pathname = '', search, hash] = PARTS.exec(String(text).trim()) ?? [];
  const [, auth, hostname, port] = /^(?:(.*)@)?(\[[^\]]*\]|[^:]*)(?::(\d+))?$/s.exec(authority ?? '') ?? [];
  const path = pathname || (authority ? '/' : '');
  const query = search?.slice(1) ?? null;
  const parts = {
    protocol: scheme === undefined ? null : `${scheme.toLowerCase()}:`,
    slashes: slashes === undefined ? null : true,
    auth: auth === undefined ? null : decodeURIComponent(auth),
    host: authority ? `${hostname?.toLowerCase()}${port ? `:${port}` : ''}` : null,
    port: port ?? null,
    hostname: hostname?.toLowerCase() || null,
    hash: hash ?? null,
    search: search ?? (readsQuery ? '' : null),
    query: readsQuery ? parseQuery(query ?? '') : query,
    pathname: path || null,
    path: path || search ? `${path}${search ?? ''}` : null,
  };
  return { ...parts, href: format(parts) };
}

export function format(url: string | URL | Partial<Omit<Legacy, 'query'> & { query: unknown }>): string {
  if (typeof url === 'string') return parse(url).href;
  if (url instanceof URL) return url.href;
  const { protocol, auth, hostname, port, pathname = '', hash, query } = url;
  const host = url.host ?? (hostname ? `${hostname}${port ? `:${port}` : ''}` : '');
  const scheme = protocol ? protocol.replace(/:?$/, ':') : '';
  const slashes = url.slashes || (host && /^(?:https?|ftp|wss?):$/.test(scheme)) ? '//' : '';
  const given = typeof query === 'object' && query !== null ? stringify(query as never) : '';
  const search = url.search ?? (given ? `?${given}` : '');
  const path = host && pathname && !pathname.startsWith('/') ? `/${pathname}` : (pathname ?? '');
  return [
    scheme,
    slashes,
    auth ? `${encodeURIComponent(auth).replace('%3A', ':')}@` : '',
    host,
    path,
    search,
    hash ?? '',
  ].join('');
}

export function resolve(from: string, to: string): string {
  const base = new URL(from, 'resolve://');
  const resolved = new URL(to, base);
  if (resolved.protocol !== 'resolve:') return resolved.href;
  return `${resolved.pathname}${resolved.search}${resolved.hash}`;
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
