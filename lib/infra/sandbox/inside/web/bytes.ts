import { host } from '../host.ts';
import { TextDecoder, TextEncoder } from '../text.ts';

/** As one piece; what is given stays as it is. */
export function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}

/** A copy of what a buffer, or a view of one, has. */
export function copyOf(source: ArrayBuffer | ArrayBufferView): Uint8Array<ArrayBuffer> {
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength).slice()
    : new Uint8Array(source).slice();
}

export function isBytes(value: unknown): value is ArrayBuffer | ArrayBufferView {
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value);
}

export function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** UTF-8, without its mark. */
export function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

export function toBase64(bytes: Uint8Array): string {
  return host('to-base64', bytes.slice()) ?? tooLong();
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return host('from-base64', text) ?? tooLong();
}

function tooLong(): never {
  throw new RangeError('More than 16 MiB at once');
}
