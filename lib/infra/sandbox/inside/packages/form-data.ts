import mime from 'mime';
import path from 'path-browserify';
import { Readable } from 'readable-stream';
import { host } from '../host.ts';
import { Buffer } from '../node/buffer.ts';
import { piecesOf } from './pieces.ts';

type Options = { filename?: string; filepath?: string; contentType?: string; header?: Record<string, string> };

/** https://www.npmjs.com/package/form-data, of which bots send what they have at hand: a body for `fetch`, with its headers. */
export class FormData extends Readable {
  #boundary = `----formdata-${host('uuid')}`;
  readonly #parts: { head: string; value: Uint8Array | AsyncIterable<unknown> }[] = [];
  #read: AsyncIterator<Uint8Array> | undefined;

  append(name: string, value: unknown, given: Options | string = {}): void {
    const options: Options = typeof given === 'string' ? { filename: given } : given;
    const bytes = value instanceof Uint8Array ? value : undefined;
    const pieces = bytes ? undefined : piecesOf(value);
    if (!bytes && !pieces && !['string', 'number', 'boolean'].includes(typeof value))
      throw new TypeError('form-data: a part is a text, bytes or a stream');
    if (typeof options.header === 'string') throw new TypeError('form-data: header is an object');
    const file = fileOf(value, options);
    const ours = {
      'Content-Disposition': `form-data; name="${quoted(name)}"${file ? `; filename="${quoted(file)}"` : ''}`,
      'Content-Type': typeOf(value, options),
    };
    const headers = Object.entries({ ...ours, ...options.header, ...ours }).filter(([, text]) => text);
    const head = [...headers.map((header) => header.map(oneLine).join(': ')), '', ''].join('\r\n');
    this.#parts.push({ head, value: bytes ?? pieces ?? Buffer.from(String(value)) });
  }

  getBoundary(): string {
    return this.#boundary;
  }

  setBoundary(boundary: string): void {
    if (!/^[\w'()+,./:=?-]{1,70}$/.test(boundary)) throw new TypeError('form-data: this is no boundary');
    this.#boundary = boundary;
  }

  getHeaders(others: Record<string, string> = {}): Record<string, string> {
    return { 'content-type': `multipart/form-data; boundary=${this.#boundary}`, ...others };
  }

  getBuffer(): Buffer {
    const parts = this.#parts.flatMap(({ head, value }) => {
      if (!(value instanceof Uint8Array)) throw new TypeError('form-data: a form with a stream is sent, not kept');
      return [this.#begin(head), value, END];
    });
    return Buffer.concat([...parts, this.#last()]);
  }

  /** By which axios knows one. */
  get [Symbol.toStringTag](): string {
    return 'FormData';
  }

  hasKnownLength(): boolean {
    return this.#parts.every(({ value }) => value instanceof Uint8Array);
  }

  getLengthSync(): number {
    return this.getBuffer().length;
  }

  getLength(callback: (error: Error | null, length?: number) => void): void {
    const isKnown = this.hasKnownLength();
    const length = isKnown ? this.getLengthSync() : undefined;
    queueMicrotask(() => (isKnown ? callback(null, length) : callback(new Error('Unknown stream'))));
  }

  /** Sent once more, where no part is a stream. */
  override async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (const { head, value } of this.#parts) {
      yield this.#begin(head);
      if (value instanceof Uint8Array) yield value;
      else for await (const piece of value) yield Buffer.from(piece as Uint8Array);
      yield END;
    }
    yield this.#last();
  }

  override async _read(): Promise<void> {
    this.#read ??= this[Symbol.asyncIterator]();
    try {
      const { value, done } = await this.#read.next();
      this.push(done ? null : value);
    } catch (error) {
      this.destroy(error as Error);
    }
  }

  #begin(head: string): Buffer {
    return Buffer.from(`--${this.#boundary}\r\n${head}`);
  }

  #last(): Buffer {
    return Buffer.from(`--${this.#boundary}--\r\n`);
  }
}

const END = Buffer.from('\r\n');

/** What a stream of a file or of a Web page tells of itself. */
type Named = { name?: unknown; path?: unknown };

function fileOf(value: unknown, { filename, filepath }: Options): string | undefined {
  if (filepath !== undefined) return path.normalize(filepath).replaceAll('\\', '/');
  const { name, path: place } = value as Named;
  const file = filename || name || place;
  return file ? path.basename(String(file)) : undefined;
}

function typeOf(value: unknown, { contentType, filename, filepath }: Options): string | undefined {
  const { name, path: place } = value as Named;
  const told = [name, place, filepath || filename].map((file) => (file ? mime.getType(String(file)) : null));
  return contentType || told.find(Boolean) || (typeof value === 'object' ? 'application/octet-stream' : undefined);
}

const oneLine = (text: unknown) => String(text).replace(/[\r\n]/g, ' ');

function quoted(text: string): string {
  return String(text).replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}
