import { toText } from '../primordials.ts';

export type HeadersInit = Iterable<Iterable<unknown>> | Record<string, unknown> | null | undefined;

/** RFC 9110 §5.6.2. */
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
/** RFC 9110 §5.5, as what a header may carry: Latin-1 without line ends and NUL. */
const VALUE = /^[^\0\r\n\u0100-\uffff]*$/;

/** https://fetch.spec.whatwg.org/#headers-class */
export class Headers {
  /** By name in lower case. Only `set-cookie` has more than one value. */
  #values = new Map<string, string[]>();

  constructor(init?: HeadersInit) {
    if (init === undefined || init === null) return;
    if (typeof init !== 'object') throw new TypeError('Headers: an object or pairs are needed');
    const pairs = Symbol.iterator in init ? Array.from(init, toPair) : Object.entries(init);
    for (const [name, value] of pairs) this.append(name, value);
  }

  append(name: unknown, value: unknown): void {
    const [key, text] = [toName(name), toValue(value)];
    const before = this.#values.get(key);
    if (before && key !== 'set-cookie') this.#values.set(key, [`${before[0]}${key === 'cookie' ? '; ' : ', '}${text}`]);
    else this.#values.set(key, [...(before ?? []), text]);
  }

  delete(name: unknown): void {
    this.#values.delete(toName(name));
  }

  get(name: unknown): string | null {
    return this.#values.get(toName(name))?.join(', ') ?? null;
  }

  getSetCookie(): string[] {
    return [...(this.#values.get('set-cookie') ?? [])];
  }

  has(name: unknown): boolean {
    return this.#values.has(toName(name));
  }

  set(name: unknown, value: unknown): void {
    this.#values.set(toName(name), [toValue(value)]);
  }

  forEach(callback: (value: string, name: string, parent: Headers) => void, self?: unknown): void {
    for (const [name, value] of this) callback.call(self, value, name, this);
  }

  *entries(): IterableIterator<[string, string]> {
    for (const name of [...this.#values.keys()].sort())
      for (const value of this.#values.get(name) ?? []) yield [name, value];
  }

  *keys(): IterableIterator<string> {
    for (const [name] of this) yield name;
  }

  *values(): IterableIterator<string> {
    for (const [, value] of this) yield value;
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }

  get [Symbol.toStringTag](): string {
    return 'Headers';
  }
}

function toPair(item: Iterable<unknown>): [unknown, unknown] {
  const pair = Array.from(item);
  if (pair.length !== 2) throw new TypeError('Headers: a pair has a name and a value');
  return pair as [unknown, unknown];
}

function toName(name: unknown): string {
  const text = toText(name);
  if (!NAME.test(text)) throw new TypeError(`Headers: ${text.slice(0, 100)} is an invalid header name`);
  return text.toLowerCase();
}

function toValue(value: unknown): string {
  const text = toText(value).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '');
  if (!VALUE.test(text)) throw new TypeError('Headers: this is an invalid header value');
  return text;
}
