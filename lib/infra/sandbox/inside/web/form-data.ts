import { Blob, File } from './blob.ts';

type Entry = string | File;

/** https://xhr.spec.whatwg.org/#interface-formdata */
export class FormData {
  #entries: [string, Entry][] = [];

  append(name: unknown, value: unknown, filename?: string): void {
    this.#entries.push([String(name), toEntry(value, filename)]);
  }

  delete(name: string): void {
    this.#entries = this.#entries.filter(([known]) => known !== String(name));
  }

  get(name: string): Entry | null {
    return this.#entries.find(([known]) => known === String(name))?.[1] ?? null;
  }

  getAll(name: string): Entry[] {
    return this.#entries.filter(([known]) => known === String(name)).map(([, value]) => value);
  }

  has(name: string): boolean {
    return this.#entries.some(([known]) => known === String(name));
  }

  set(name: unknown, value: unknown, filename?: string): void {
    const entry: [string, Entry] = [String(name), toEntry(value, filename)];
    const first = this.#entries.findIndex(([known]) => known === entry[0]);
    if (first >= 0) this.#entries = this.#entries.filter(([known], index) => index <= first || known !== entry[0]);
    this.#entries[first < 0 ? this.#entries.length : first] = entry;
  }

  forEach(callback: (value: Entry, name: string, parent: FormData) => void): void {
    for (const [name, value] of this) callback(value, name, this);
  }

  *entries(): IterableIterator<[string, Entry]> {
    for (const [name, value] of this.#entries) yield [name, value];
  }

  *keys(): IterableIterator<string> {
    for (const [name] of this.#entries) yield name;
  }

  *values(): IterableIterator<Entry> {
    for (const [, value] of this.#entries) yield value;
  }

  [Symbol.iterator](): IterableIterator<[string, Entry]> {
    return this.entries();
  }

  get [Symbol.toStringTag](): string {
    return 'FormData';
  }
}

function toEntry(value: unknown, filename: string | undefined): Entry {
  if (!(value instanceof Blob)) return String(value);
  if (value instanceof File && filename === undefined) return value;
  const name = filename ?? 'blob';
  return new File([value], name, { type: value.type });
}
