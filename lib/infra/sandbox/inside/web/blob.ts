import { ReadableStream } from 'web-streams-polyfill';
import { concat, copyOf, decode, encode, isBytes } from './bytes.ts';

type Options = { type?: string; endings?: string };

/** https://w3c.github.io/FileAPI/#blob-section */
export class Blob {
  readonly type: string;
  #bytes: Uint8Array<ArrayBuffer>;

  constructor(parts: Iterable<unknown> = [], { type = '' }: Options = {}) {
    if (typeof parts !== 'object' || parts === null) throw new TypeError('Blob: a list of parts is needed');
    this.#bytes = concat(Array.from(parts, toBytes));
    this.type = /^[\x20-\x7e]*$/.test(String(type)) ? String(type).toLowerCase() : '';
  }

  static bytesOf(blob: Blob): Uint8Array<ArrayBuffer> {
    return blob.#bytes;
  }

  get size(): number {
    return this.#bytes.byteLength;
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#bytes.slice().buffer;
  }

  async bytes(): Promise<Uint8Array> {
    return this.#bytes.slice();
  }

  async text(): Promise<string> {
    return decode(this.#bytes);
  }

  slice(start = 0, end: number = this.size, type = ''): Blob {
    return new Blob([this.#bytes.slice(start, end)], { type });
  }

  stream(): ReadableStream<Uint8Array> {
    const bytes = this.#bytes;
    return new ReadableStream({
      start(controller) {
        if (bytes.byteLength > 0) controller.enqueue(bytes.slice());
        controller.close();
      },
    });
  }

  get [Symbol.toStringTag](): string {
    return 'Blob';
  }
}

export class File extends Blob {
  readonly name: string;
  readonly lastModified: number;
  readonly webkitRelativePath = '';

  constructor(parts: Iterable<unknown>, name: string, options: Options & { lastModified?: number } = {}) {
    if (name === undefined) throw new TypeError('File: a name is needed');
    super(parts, options);
    this.name = String(name);
    this.lastModified = options.lastModified ?? Date.now();
  }

  override get [Symbol.toStringTag](): string {
    return 'File';
  }
}

function toBytes(part: unknown): Uint8Array {
  if (part instanceof Blob) return Blob.bytesOf(part);
  return isBytes(part) ? copyOf(part) : encode(String(part));
}
