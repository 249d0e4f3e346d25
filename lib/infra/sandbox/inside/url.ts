import { SANDBOX_LIMITS } from '../host/limits.ts';
import { host } from './host.ts';
import { parse, toText } from './primordials.ts';
import { URLSearchParams } from './url-search-params.ts';

type Parts = { href: string; origin: string; protocol: string; username: string; password: string; host: string };
type UrlParts = Parts & { hostname: string; port: string; pathname: string; search: string; hash: string };

/** The process's own URL parser behind the standard interface: a second parser would disagree with the first somewhere. */
export class URL {
  #parts: UrlParts;
  #searchParams: URLSearchParams;

  constructor(url: unknown, base?: unknown) {
    this.#parts = toParts(host('url', limited(url), base === undefined ? undefined : limited(base)));
    this.#searchParams = this.#parse();
  }

  get [Symbol.toStringTag](): string {
    return 'URL';
  }

  static canParse(url: unknown, base?: unknown): boolean {
    return URL.parse(url, base) !== null;
  }

  static parse(url: unknown, base?: unknown): URL | null {
    try {
      return new URL(url, base);
    } catch {
      return null;
    }
  }

  get searchParams(): URLSearchParams {
    return this.#searchParams;
  }

  get origin(): string {
    return this.#parts.origin;
  }

  toString(): string {
    return this.#parts.href;
  }

  toJSON(): string {
    return this.#parts.href;
  }

  static {
    const names = [
      'href',
      'protocol',
      'username',
      'password',
      'host',
      'hostname',
      'port',
      'pathname',
      'search',
      'hash',
    ] as const;
    for (const name of names) {
      Object.defineProperty(URL.prototype, name, {
        get(this: URL) {
          return this.#parts[name];
        },
        set(this: URL, value: unknown) {
          this.#set(name, limited(value));
          if (name === 'href' || name === 'search') this.#searchParams = this.#parse();
        },
        enumerable: true,
        configurable: true,
      });
    }
  }

  #parse(): URLSearchParams {
    return new URLSearchParams(this.#parts.search, (query) => this.#set('search', limited(query)));
  }

  #set(name: string, value: string): void {
    this.#parts = toParts(host('url-set', limited(this.#parts.href), name, value));
  }
}

function toParts(json: string | undefined): UrlParts {
  if (json === undefined) throw Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL' });
  return parse(json);
}

function limited(value: unknown): string {
  const text = toText(value);
  if (text.length > SANDBOX_LIMITS.urlCharacters) throw new TypeError('Invalid URL: it is longer than 1 MiB');
  return text;
}
