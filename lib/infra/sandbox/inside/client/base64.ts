import { SANDBOX_LIMITS } from '../../host/limits.ts';
import { host } from '../host.ts';

const { webBytes } = SANDBOX_LIMITS;

/** Base64 of bytes, made by the process: V8 alone has none. Undefined for more than 16 MiB. */
export function toBase64(bytes: Uint8Array): string | undefined {
  return bytes.length > webBytes ? undefined : host('to-base64', bytes.slice());
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const bytes = host('from-base64', text);
  if (bytes === undefined) throw new TypeError('The text is not base64');
  return bytes;
}
