import { Buffer } from '../node/buffer.ts';

export type Input = string | ArrayBuffer | ArrayBufferView;

/** Bytes of what Node's cryptography takes: text in an encoding, UTF-8 if none is named, or bytes. */
export function toBytes(data: Input, encoding?: string): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data, encoding as never);
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (typeof data === 'object' && data !== null && 'export' in data) return (data as { export(): Uint8Array }).export();
  throw Object.assign(new TypeError('The data must be a string or bytes'), { code: 'ERR_INVALID_ARG_TYPE' });
}

/** As text in an encoding, or a Buffer. */
export function fromBytes(bytes: Uint8Array, encoding?: string): string | Buffer {
  const buffer = Buffer.from(bytes);
  return encoding && encoding !== 'buffer' ? buffer.toString(encoding as never) : buffer;
}

export function failure(message: string, code = 'ERR_CRYPTO_OPERATION_FAILED'): Error {
  return Object.assign(new Error(message), { code });
}
