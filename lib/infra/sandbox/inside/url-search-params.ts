type Init = string | Iterable<[string, string]> | Record<string, string>;

/** https://url.spec.whatwg.org/#interface-urlsearchparams */
export class URLSearchParams {
  #pairs: [string, string][];
  #changed: ((query: string) => void) | undefined;

  constructor(init: Init | null = '', changed?: (query: string) => void) {
    this.#changed = changed;
    if (typeof init !== 'object' || init === null) this.#pairs = parseQuery(String(init));
    else if (Symbol.iterator in init) this.#pairs = Array.from(init, ([name, value]) => [String(name), String(value)]);
    else this.#pairs = Object.entries(init).map(([name, value]) => [name, String(value)]);
  }

  get size(): number {
    return this.#pairs.length;
  }

  append(name: string, value: string): void {
    this.#pairs.push([String(name), String(value)]);
    this.#update();
  }

  delete(name: string, value?: string): void {
    this.#pairs = this.#pairs.filter((pair) => pair[0] !== name || (value !== undefined && pair[1] !== value));
    this.#update();
  }

  get(name: string): string | null {
    return this.#pairs.find((pair) => pair[0] === name)?.[1] ?? null;
  }

  getAll(name: string): string[] {
    return this.#pairs.filter((pair) => pair[0] === name).map((pair) => pair[1]);
  }

  has(name: string, value?: string): boolean {
    return this.#pairs.some((pair) => pair[0] === name && (value === undefined || pair[1] === value));
  }

  set(name: string, value: string): void {
    const first = this.#pairs.findIndex((pair) => pair[0] === name);
    if (first >= 0) this.#pairs = this.#pairs.filter((pair, index) => index <= first || pair[0] !== name);
    this.#pairs[first < 0 ? this.#pairs.length : first] = [String(name), String(value)];
    this.#update();
  }

  sort(): void {
    this.#pairs.sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
    this.#update();
  }

  forEach(callback: (value: string, name: string, parent: URLSearchParams) => void, given?: unknown): void {
    for (const [name, value] of this.#pairs) callback.call(given, value, name, this);
  }

  *entries(): IterableIterator<[string, string]> {
    for (const [name, value] of this.#pairs) yield [name, value];
  }

  *keys(): IterableIterator<string> {
    for (const [name] of this.#pairs) yield name;
  }

  *values(): IterableIterator<string> {
    for (const [, value] of this.#pairs) yield value;
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }

  /** Packages know one by it that comes from elsewhere. */
  get [Symbol.toStringTag](): string {
    return 'URLSearchParams';
  }

  toString(): string {
    return this.#pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  }

  #update(): void {
    this.#changed?.(this.toString());
  }
}

function parseQuery(query: string): [string, string][] {
  const parts = query.replace(/^\?/, '').split('&');
  return parts.filter(Boolean).map((part) => {
    const [name = '', ...value] = part.split('=');
    return [decode(name), decode(value.join('='))];
  });
}

function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  // A run at a time: one wrong escape must not spoil the rest.
  return spaced.replace(/(%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run.replace(/%([89a-f][0-9a-f])/gi, '\uFFFD').replace(/%[0-7][0-9a-f]/gi, decodeURIComponent);
    }
  });
}

function encode(text: string): string {
  const escaped = encodeURIComponent(text.toWellFormed());
  return escaped.replace(/[!'()~]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`).replaceAll('%20', '+');
}
