import { host } from '../host.ts';
import { Buffer } from './buffer.ts';

type Options = { filename?: string; filepath?: string; contentType?: string };

/** https://www.npmjs.com/package/form-data, of which bots send what they have at hand: a body for `fetch`, with its headers. */
export class FormData {
  #boundary = `----formdata-${host('uuid')}`;
  readonly #parts: { head: string; bytes: Uint8Array }[] = [];

  append(name: string, value: unknown, given: Options | string = {}): void {
    const { filename, filepath, contentType }: Options = typeof given === 'string' ? { filename: given } : given;
    const file = filepath ?? filename;
    const isBytes = value instanceof Uint8Array;
    if (!isBytes && !['string', 'number', 'boolean'].includes(typeof value))
      throw new TypeError('form-data: a part is a text or bytes; read a stream first');
    const type = contentType ?? (isBytes || file ? 'application/octet-stream' : undefined);
    const named = file === undefined ? '' : `; filename="${quoted(file)}"`;
    const typed = type === undefined ? '' : `\r\nContent-Type: ${type.replace(/[\r\n]/g, ' ')}`;
    const head = `Content-Disposition: form-data; name="${quoted(name)}"${named}${typed}\r\n\r\n`;
    this.#parts.push({ head, bytes: isBytes ? value : Buffer.from(String(value)) });
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
    const parts = this.#parts.flatMap(({ head, bytes }) => [
      Buffer.from(`--${this.#boundary}\r\n${head}`),
      bytes,
      Buffer.from('\r\n'),
    ]);
    return Buffer.concat([...parts, Buffer.from(`--${this.#boundary}--\r\n`)]);
  }

  hasKnownLength(): boolean {
    return true;
  }

  getLengthSync(): number {
    return this.getBuffer().length;
  }

  getLength(callback: (error: null, length: number) => void): void {
    const length = this.getLengthSync();
    queueMicrotask(() => callback(null, length));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    yield this.getBuffer();
  }
}

function quoted(text: string): string {
  return String(text).replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}
