import * as polyfill from 'buffer/';

const { Buffer, kMaxLength, INSPECT_MAX_BYTES } = polyfill as unknown as typeof import('node:buffer');

// What the polyfill lacks of Node's: base64url.
const { from, isEncoding, byteLength } = Buffer;
const { toString: toText, write } = Buffer.prototype;
const isUrl = (encoding: unknown) => typeof encoding === 'string' && encoding.toLowerCase() === 'base64url';
const plain = (encoding: unknown) => (isUrl(encoding) ? 'base64' : encoding);
const set = (target: object, name: PropertyKey, value: unknown) =>
  Object.defineProperty(target, name, { value, writable: true, configurable: true });

set(Buffer, 'name', 'Buffer');
// The polyfill reads both alphabets.
set(Buffer, 'from', (value: never, encoding: unknown, ...rest: never[]) =>
  from(value, plain(encoding) as never, ...rest),
);
set(Buffer, 'isEncoding', (encoding: string) => isUrl(encoding) || isEncoding(encoding));
set(Buffer, 'byteLength', (value: never, encoding: unknown) => byteLength(value, plain(encoding) as never));
set(Buffer.prototype, 'toString', function (this: Uint8Array, encoding?: unknown, ...rest: never[]) {
  const text = toText.call(this, plain(encoding) as never, ...rest);
  return isUrl(encoding) ? text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') : text;
});
set(Buffer.prototype, 'write', function (this: Uint8Array, ...args: unknown[]) {
  return write.apply(this as never, args.map(plain) as never);
});

// Also with bytes that are no Buffer, as in Node.
for (const name of ['equals', 'compare', 'indexOf', 'lastIndexOf', 'includes'] as const) {
  const method = Buffer.prototype[name] as (this: Uint8Array, ...args: unknown[]) => unknown;
  set(Buffer.prototype, name, function (this: Uint8Array, value: unknown, ...rest: unknown[]) {
    return method.call(this, value instanceof Uint8Array ? from(value) : value, ...rest);
  });
}

set(Buffer.prototype, Symbol.for('nodejs.util.inspect.custom'), function (this: Buffer) {
  const more = this.length - INSPECT_MAX_BYTES;
  const shown = toText.call(this, 'hex', 0, INSPECT_MAX_BYTES).replace(/..(?=.)/g, '$& ');
  return `<Buffer${shown && ' '}${shown}${more > 0 ? ` ... ${more} more byte${more > 1 ? 's' : ''}` : ''}>`;
});

const bytes = Buffer.prototype as unknown as Record<string, unknown>;
for (const name of ['readBigUInt64LE', 'readBigUInt64BE', 'writeBigUInt64LE', 'writeBigUInt64BE'])
  set(bytes, name.replace('UInt', 'Uint'), bytes[name]);
for (const encoding of ['ascii', 'base64', 'base64url', 'hex', 'latin1', 'ucs2', 'utf8'])
  set(bytes, `${encoding}Slice`, function (this: Buffer, start?: number, end?: number) {
    return this.toString(encoding as never, start, end);
  });
// How many elements, not bytes.
set(Buffer, 'copyBytesFrom', (view: Uint8Array, offset = 0, length?: number) => {
  const part = view.slice(offset, length === undefined ? undefined : offset + length);
  return from(part.buffer as ArrayBuffer, part.byteOffset, part.byteLength);
});

const isAscii = (bytes: ArrayBuffer | ArrayBufferView) => Buffer.from(bytesOf(bytes)).every((byte) => byte < 0x80);

function isUtf8(bytes: ArrayBuffer | ArrayBufferView): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytesOf(bytes));
    return true;
  } catch {
    return false;
  }
}

function bytesOf(of: ArrayBuffer | ArrayBufferView): Uint8Array<ArrayBuffer> {
  if (!ArrayBuffer.isView(of)) return new Uint8Array(of);
  return new Uint8Array(of.buffer as ArrayBuffer, of.byteOffset, of.byteLength);
}

const constants = { MAX_LENGTH: kMaxLength, MAX_STRING_LENGTH: 536_870_888 };
const { Blob, File, atob, btoa } = globalThis;

export { atob, Blob, Buffer, btoa, constants, File, INSPECT_MAX_BYTES, isAscii, isUtf8, kMaxLength };
