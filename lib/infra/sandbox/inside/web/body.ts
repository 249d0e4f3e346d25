import { ReadableStream } from 'web-streams-polyfill';
import { parse } from '../primordials.ts';
import { Blob } from './blob.ts';
import { concat, copyOf, decode, encode, isBytes } from './bytes.ts';
import { FormData } from './form-data.ts';
import { shared } from './given.ts';
import type { Headers } from './headers.ts';
import { fromMultipart, toMultipart } from './multipart.ts';

/** What is carried: a text, bytes, or what gives them piece by piece. */
export type Content = { text: string } | { bytes: Uint8Array } | { pieces: AsyncIterable<unknown> };

/** What stands for a body in `new Request` and `new Response`, with the type that it has by itself. */
export function toContent(body: unknown): { content: Content; type?: string } {
  const { URLSearchParams } = shared().extras.globals;
  if (typeof body === 'string') return { content: { text: body }, type: 'text/plain;charset=UTF-8' };
  if (body instanceof URLSearchParams)
    return { content: { text: String(body) }, type: 'application/x-www-form-urlencoded;charset=UTF-8' };
  if (body instanceof Blob) return { content: { bytes: Blob.bytesOf(body) }, type: body.type || undefined };
  if (body instanceof FormData) {
    const { bytes, type } = toMultipart(body);
    return { content: { bytes }, type };
  }
  if (isBytes(body)) return { content: { bytes: copyOf(body) } };
  // Of the package form-data, which says so to who asks.
  if (isForm(body)) {
    const type = `multipart/form-data; boundary=${body.getBoundary()}`;
    return { content: { pieces: body }, type };
  }
  if (typeof body === 'object' && body !== null && Symbol.asyncIterator in body)
    return { content: { pieces: body as AsyncIterable<unknown> } };
  return { content: { text: String(body) }, type: 'text/plain;charset=UTF-8' };
}

function isForm(body: unknown): body is AsyncIterable<unknown> & { getBoundary(): string } {
  const form = body as { getBoundary?: unknown } | null;
  return (
    typeof form === 'object' && form !== null && typeof form.getBoundary === 'function' && Symbol.asyncIterator in form
  );
}

/** https://fetch.spec.whatwg.org/#body-mixin */
export abstract class Body {
  abstract readonly headers: Headers;
  #content: Content | undefined;
  #isUsed = false;

  constructor(content: Content | undefined) {
    this.#content = content;
  }

  get bodyUsed(): boolean {
    return this.#isUsed;
  }

  get body(): ReadableStream | null {
    const content = this.#content;
    if (!content) return null;
    if ('pieces' in content && content.pieces instanceof ReadableStream) return content.pieces;
    const pieces = ReadableStream.from('pieces' in content ? bytesOf(content.pieces) : once(content));
    this.#content = { pieces };
    return pieces;
  }

  async text(): Promise<string> {
    const content = this.take();
    if (!content) return '';
    if ('text' in content) return content.text.replace(/^\uFEFF/, '').toWellFormed();
    return decode(await toBytes(content));
  }

  async json(): Promise<unknown> {
    return parse(await this.text());
  }

  async bytes(): Promise<Uint8Array> {
    const content = this.take();
    return content ? (await toBytes(content)).slice() : new Uint8Array();
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.bytes()).slice().buffer as ArrayBuffer;
  }

  async blob(): Promise<Blob> {
    return new Blob([await this.bytes()], { type: this.headers.get('content-type') ?? '' });
  }

  async formData(): Promise<FormData> {
    const type = this.headers.get('content-type') ?? '';
    if (/^multipart\/form-data\b/i.test(type)) return fromMultipart(await this.bytes(), type);
    if (!/^application\/x-www-form-urlencoded\b/i.test(type))
      throw new TypeError('formData: the body is no form by its Content-Type');
    const form = new FormData();
    for (const [name, value] of new (shared().extras.globals.URLSearchParams)(await this.text()))
      form.append(name, value);
    return form;
  }

  /** The body for who sends or copies it; it counts as read. */
  take(): Content | undefined {
    const content = this.#content;
    if (!content) return undefined;
    if (this.#isUsed || ('pieces' in content && isTaken(content.pieces)))
      throw new TypeError('Body is unusable: Body has already been read');
    this.#isUsed = true;
    return content;
  }

  /** A second body with the same content. */
  copyContent(): Content | undefined {
    const content = this.take();
    this.#isUsed = false;
    if (!content || !('pieces' in content)) return content;
    const stream = content.pieces instanceof ReadableStream ? content.pieces : ReadableStream.from(content.pieces);
    const [mine, theirs] = stream.tee();
    this.#content = { pieces: mine };
    return { pieces: theirs };
  }
}

/** `check` hears after each piece how many bytes there are: what it throws ends the stream. */
export async function toBytes(content: Content, check?: (size: number) => void): Promise<Uint8Array> {
  if ('bytes' in content) return content.bytes;
  if ('text' in content) return encode(content.text);
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of bytesOf(content.pieces)) {
    size += part.byteLength;
    check?.(size);
    parts.push(part);
  }
  return concat(parts);
}

async function* bytesOf(pieces: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    if (isBytes(piece)) yield copyOf(piece);
    else if (typeof piece === 'string') yield encode(piece);
    else throw new TypeError('A stream that is a body gives bytes');
  }
}

async function* once(content: Content): AsyncGenerator<Uint8Array> {
  const bytes = await toBytes(content);
  if (bytes.byteLength > 0) yield bytes;
}

function isTaken(pieces: AsyncIterable<unknown>): boolean {
  return pieces instanceof ReadableStream && pieces.locked;
}
