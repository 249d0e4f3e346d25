import { Transform } from 'readable-stream';
import { host } from '../host.ts';
import { Buffer } from '../node/buffer.ts';
import { failure, fromBytes, type Input, toBytes } from './encodings.ts';

const TAG_BYTES = 16;
const BLOCK_BYTES = 16;

/** https://nodejs.org/api/crypto.html#class-cipheriv of AES. Each piece is given as soon as Node gives it; but for GCM with another iv than of 12 bytes, all of which `final` gives. */
class Cipher extends Transform {
  readonly #name: string;
  readonly #key: Uint8Array;
  readonly #iv: Uint8Array;
  readonly #encrypts: boolean;
  readonly #parts: Uint8Array[] = [];
  #aad: Uint8Array[] = [];
  #padding = true;
  #tag: Uint8Array | undefined;
  #isOver = false;
  /** Bytes that were given so far, where each is given at once. */
  #given = 0;
  /** Of whole blocks, what they are chained to, and what is not given yet. */
  #last: Uint8Array;
  #rest: Uint8Array = new Uint8Array();

  constructor(encrypts: boolean, name: string, key: Input, iv: Input | null) {
    super({
      transform: (chunk: Input, encoding: string, callback: (error: null, bytes: unknown) => void) => {
        callback(null, this.update(chunk, encoding));
      },
      flush: (callback: (error: Error | null, bytes?: unknown) => void) => {
        try {
          callback(null, this.final());
        } catch (error) {
          callback(error as Error);
        }
      },
    });
    this.#encrypts = encrypts;
    this.#name = String(name).toLowerCase();
    if (!/^aes-(?:128|192|256)-(?:cbc|ctr|ecb|gcm)$/.test(this.#name))
      throw failure('Unknown cipher', 'ERR_CRYPTO_UNKNOWN_CIPHER');
    this.#key = toBytes(key);
    this.#iv = iv === null ? new Uint8Array() : toBytes(iv);
    this.#last = this.#iv;
    if (this.#key.byteLength * 8 !== Number(this.#name.slice(4, 7)))
      throw Object.assign(new RangeError('Invalid key length'), { code: 'ERR_CRYPTO_INVALID_KEYLEN' });
  }

  update(data: Input, inputEncoding?: string, outputEncoding?: string) {
    if (this.#isOver) throw failure('Unsupported state or unable to update', 'ERR_CRYPTO_INVALID_STATE');
    const piece = Buffer.from(toBytes(data, inputEncoding));
    if (!this.#isOfBlocks) this.#parts.push(piece);
    return fromBytes(this.#isOfBlocks ? this.#blocks(piece) : this.#stream(piece), outputEncoding);
  }

  get #isOfBlocks(): boolean {
    return /cbc|ecb/.test(this.#name);
  }

  /** CTR, and GCM, which is CTR from its second block on (NIST SP 800-38D §7.1). */
  #stream(piece: Uint8Array): Uint8Array {
    const isSealed = this.#name.endsWith('gcm');
    if (piece.byteLength === 0 || (isSealed && this.#iv.byteLength !== 12)) return new Uint8Array();
    const start = isSealed ? Buffer.concat([this.#iv, Buffer.from([0, 0, 0, 2])]) : Buffer.from(this.#iv);
    const skipped = this.#given % BLOCK_BYTES;
    const counter = added(start, Math.floor(this.#given / BLOCK_BYTES));
    const data = bare(Buffer.concat([Buffer.alloc(skipped), piece]));
    const made = host('cipher', `${this.#name.slice(0, 7)}-ctr`, true, bare(this.#key), bare(counter), data, {});
    if (!made) throw failure('Invalid initialization vector', 'ERR_CRYPTO_INVALID_IV');
    this.#given += piece.byteLength;
    return made.slice(skipped);
  }

  /** CBC and ECB: whole blocks, but not the last one while it may be padding. */
  #blocks(piece: Uint8Array): Uint8Array {
    const all = Buffer.concat([this.#rest, piece]);
    const isKept = !this.#encrypts && this.#padding && all.byteLength % BLOCK_BYTES === 0 && all.byteLength > 0;
    const length = all.byteLength - (all.byteLength % BLOCK_BYTES) - (isKept ? BLOCK_BYTES : 0);
    this.#rest = all.subarray(length);
    return length > 0 ? this.#chained(all.subarray(0, length), false) : new Uint8Array();
  }

  #chained(data: Uint8Array, padding: boolean): Uint8Array {
    const made = host('cipher', this.#name, this.#encrypts, bare(this.#key), bare(this.#last), bare(data), { padding });
    if (!made) throw failure('bad decrypt');
    if (this.#name.endsWith('cbc')) this.#last = (this.#encrypts ? made : bare(data)).slice(-BLOCK_BYTES);
    return made;
  }

  final(outputEncoding?: string) {
    if (this.#isOver) throw failure('Unsupported state', 'ERR_CRYPTO_INVALID_STATE');
    this.#isOver = true;
    if (this.#isOfBlocks) return fromBytes(this.#chained(this.#rest, this.#padding), outputEncoding);
    const isSealed = this.#name.endsWith('gcm');
    if (isSealed && !this.#encrypts) this.#parts.push(this.#tag ?? new Uint8Array(TAG_BYTES));
    if (!isSealed) return fromBytes(new Uint8Array(), outputEncoding);
    const more = this.#aad.length > 0 ? { aad: bare(Buffer.concat(this.#aad)) } : {};
    const data = bare(Buffer.concat(this.#parts));
    const made = host('cipher', this.#name, this.#encrypts, bare(this.#key), bare(this.#iv), data, more);
    if (!made) throw failure('Unsupported state or unable to authenticate data');
    const end = this.#encrypts ? made.byteLength - TAG_BYTES : made.byteLength;
    if (this.#encrypts) this.#tag = made.slice(end);
    return fromBytes(made.slice(this.#given, end), outputEncoding);
  }

  setAAD(data: Input): this {
    this.#aad = [Buffer.from(toBytes(data))];
    return this;
  }

  getAuthTag(): Buffer {
    if (!this.#tag) throw failure('Invalid state for operation getAuthTag', 'ERR_CRYPTO_INVALID_STATE');
    return Buffer.from(this.#tag);
  }

  setAuthTag(tag: Input, encoding?: string): this {
    const bytes = toBytes(tag, encoding);
    if (bytes.byteLength !== TAG_BYTES)
      throw Object.assign(new TypeError('Invalid authentication tag length'), { code: 'ERR_CRYPTO_INVALID_AUTH_TAG' });
    this.#tag = bytes.slice();
    return this;
  }

  setAutoPadding(padding = true): this {
    this.#padding = padding;
    return this;
  }
}

type CipherOptions = { authTagLength?: number };

export function createCipheriv(name: string, key: Input, iv: Input | null, options: CipherOptions = {}): Cipher {
  requireWholeTag(options);
  return new Cipher(true, name, key, iv);
}

export function createDecipheriv(name: string, key: Input, iv: Input | null, options: CipherOptions = {}): Cipher {
  requireWholeTag(options);
  return new Cipher(false, name, key, iv);
}

function requireWholeTag({ authTagLength = TAG_BYTES }: CipherOptions): void {
  if (authTagLength === TAG_BYTES) return;
  throw failure(`authTagLength is ${TAG_BYTES} in a bot: no other is made or taken`, 'ERR_INVALID_ARG_VALUE');
}

/** A counter of 16 bytes, so many blocks later. */
function added(counter: Uint8Array, blocks: number): Uint8Array {
  const bytes = counter.slice();
  for (let at = bytes.byteLength - 1, carry = blocks; at >= 0 && carry > 0; at -= 1) {
    const sum = bytes[at]! + (carry % 256);
    bytes[at] = sum % 256;
    carry = Math.floor(carry / 256) + Math.floor(sum / 256);
  }
  return bytes;
}

/** Of their own: a view would cross with all that it is a view of. */
function bare(bytes: Uint8Array): Uint8Array {
  return Uint8Array.prototype.slice.call(bytes);
}
