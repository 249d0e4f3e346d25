import { createCipheriv, createDecipheriv } from '../node-crypto/ciphers.ts';
import { hkdf, hkdfSync, pbkdf2, pbkdf2Sync, scrypt, scryptSync } from '../node-crypto/derive.ts';
import { type Input, toBytes } from '../node-crypto/encodings.ts';
import { createHash, createHmac, hash } from '../node-crypto/hashes.ts';
import {
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPair,
  generateKeyPairSync,
  KeyObject,
} from '../node-crypto/keys.ts';
import {
  constants,
  createSign,
  createVerify,
  privateDecrypt,
  publicEncrypt,
  sign,
  verify,
} from '../node-crypto/signatures.ts';
import { Buffer } from './buffer.ts';
import { shared } from './given.ts';
import { type Done, later } from './later.ts';

const webcrypto = globalThis.crypto;
const { subtle } = webcrypto;
/** Of one call: more is somebody's mistake. */
const MOST_RANDOM = 16 * 1024 * 1024;

/** https://nodejs.org/api/crypto.html, of it what a bot may need. */
export const crypto = {
  ...{
    createCipheriv,
    createDecipheriv,
    createHash,
    createHmac,
    hash,
    hkdf,
    hkdfSync,
    pbkdf2,
    pbkdf2Sync,
    scrypt,
    scryptSync,
  },
  ...{ createPrivateKey, createPublicKey, createSecretKey, generateKeyPair, generateKeyPairSync, KeyObject, constants },
  ...{ createSign, createVerify, privateDecrypt, publicEncrypt, sign, verify, subtle, webcrypto },
  getRandomValues: (array: never) => webcrypto.getRandomValues(array),
  randomUUID: () => webcrypto.randomUUID(),
  getHashes: () => shared().web.hashing.names,
  randomBytes,
  randomFill,
  randomFillSync,
  randomInt,
  timingSafeEqual,
};

/** Of an array of larger elements, `offset` and `size` count these. */
function randomFillSync<T extends ArrayBuffer | ArrayBufferView>(buffer: T, offset = 0, size?: number): T {
  const view = ArrayBuffer.isView(buffer) ? buffer : new Uint8Array(buffer as ArrayBuffer);
  const each = (view as Partial<Uint8Array>).BYTES_PER_ELEMENT ?? 1;
  const [from, end] = [offset * each, size === undefined ? view.byteLength : (offset + size) * each];
  if (!(from >= 0 && from <= end && end <= view.byteLength))
    throw new RangeError('offset and size are outside of the buffer');
  fill(new Uint8Array(view.buffer, view.byteOffset + from, end - from));
  return buffer;
}

function randomFill<T extends ArrayBuffer | ArrayBufferView>(buffer: T, ...more: unknown[]): void {
  const done = more.pop() as Done<T>;
  const [offset, size] = more as [number?, number?];
  randomFillSync(buffer, offset, size);
  later(() => buffer, done);
}

function randomBytes(size: number, done?: Done<Buffer>): Buffer | undefined {
  if (!(size >= 0 && size <= MOST_RANDOM)) throw new RangeError('randomBytes gives up to 16 MiB');
  const bytes = fill(Buffer.alloc(size));
  if (!done) return bytes;
  later(() => bytes, done);
  return undefined;
}

function fill<T extends Uint8Array>(array: T): T {
  for (let at = 0; at < array.byteLength; at += 65_536)
    webcrypto.getRandomValues(array.subarray(at, at + 65_536) as never);
  return array;
}

/** From `min` to one less than `max`, each as likely. */
function randomInt(...given: [...number[], Done<number>] | number[]): number | undefined {
  const done = given.at(-1);
  if (typeof done !== 'function') return oneOf(...(given as number[]));
  later(() => oneOf(...(given.slice(0, -1) as number[])), done);
  return undefined;
}

function oneOf(...given: number[]): number {
  const [min, max] = given.length < 2 ? [0, given[0]!] : (given as [number, number]);
  const range = max - min;
  if (!Number.isSafeInteger(min) || !Number.isSafeInteger(max) || range <= 0 || range >= 2 ** 48)
    throw new RangeError('randomInt needs whole numbers, the second larger');
  const limit = 2 ** 48 - (2 ** 48 % range);
  for (;;) {
    const value = fill(Buffer.alloc(6)).readUIntBE(0, 6);
    if (value < limit) return min + (value % range);
  }
}

function timingSafeEqual(a: Input, b: Input): boolean {
  for (const [at, one] of [a, b].entries()) {
    if (typeof one !== 'string') continue;
    const text = `The "buf${at + 1}" argument must be an instance of ArrayBuffer, Buffer, TypedArray, or DataView.`;
    throw Object.assign(new TypeError(text), { code: 'ERR_INVALID_ARG_TYPE' });
  }
  const [one, other] = [toBytes(a), toBytes(b)];
  if (one.byteLength !== other.byteLength)
    throw Object.assign(new RangeError('Input buffers must have the same byte length'), {
      code: 'ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH',
    });
  let difference = 0;
  for (let at = 0; at < one.byteLength; at += 1) difference |= one[at]! ^ other[at]!;
  return difference === 0;
}
