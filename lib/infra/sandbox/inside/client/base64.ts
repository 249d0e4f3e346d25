import { host } from '../host.ts';

const CHUNK = 8192;

/** Base64 of bytes, made by the process: V8 alone has none. */
export function toBase64(bytes: Uint8Array): string {
  let latin = '';
  for (let at = 0; at < bytes.length; at += CHUNK) {
    latin += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  const text = host('btoa', latin);
  if (text === undefined) throw new RangeError('More than 16 MiB at once');
  return text;
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const latin = host('atob', text);
  if (latin === undefined) throw new TypeError('The text is not base64');
  const bytes = new Uint8Array(latin.length);
  for (let at = 0; at < latin.length; at += 1) bytes[at] = latin.charCodeAt(at);
  return bytes;
}
