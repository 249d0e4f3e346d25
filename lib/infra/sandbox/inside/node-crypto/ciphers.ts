import { Transform } from 'readable-stream';
import { host } from '../host.ts';
import { Buffer } from '../node/buffer.ts';
import { failure, fromBytes, type Input, toBytes } from './encodings.ts';

const TAG_BYTES = 16;

/** https://nodejs.org/api/crypto.html#class-cipheriv of AES. `update` keeps what it gets, `final` gives all of it: put together, the same. */
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

  constructor(encrypts: boolean, name: string, key: Input, iv: Input | null) {
    super({
      transform: (chunk: Input, encoding: string, callback: () => void) => {
        this.update(chunk, encoding);
        callback();
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
    if (this.#key.byteLength * 8 !== Number(this.#name.slice(4, 7)))
      throw Object.assign(new RangeError('Invalid key length'), { code: 'ERR_CRYPTO_INVALID_KEYLEN' });
  }

  update(data: Input, inputEncoding?: string, outputEncoding?: string) {
    if (this.#isOver) throw failure('Unsupported state or unable to update', 'ERR_CRYPTO_INVALID_STATE');
    this.#parts.push(Buffer.from(toBytes(data, inputEncoding)));
    return fromBytes(new Uint8Array(), outputEncoding);
  }

  final(outputEncoding?: string) {
    if (this.#isOver) throw failure('Unsupported state', 'ERR_CRYPTO_INVALID_STATE');
    this.#isOver = true;
    const isSealed = this.#name.endsWith('gcm');
    if (isSealed && !this.#encrypts) this.#parts.push(this.#tag ?? new Uint8Array(TAG_BYTES));
    const more = { padding: this.#padding, ...(this.#aad.length > 0 && { aad: bare(Buffer.concat(this.#aad)) }) };
    const data = bare(Buffer.concat(this.#parts));
    const made = host('cipher', this.#name, this.#encrypts, bare(this.#key), bare(this.#iv), data, more);
    if (!made) throw failure(isSealed ? 'Unsupported state or unable to authenticate data' : 'bad decrypt');
    if (!isSealed || !this.#encrypts) return fromBytes(made, outputEncoding);
    this.#tag = made.slice(-TAG_BYTES);
    return fromBytes(made.slice(0, -TAG_BYTES), outputEncoding);
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

/** Of their own: a view would cross with all that it is a view of. */
function bare(bytes: Uint8Array): Uint8Array {
  return Uint8Array.prototype.slice.call(bytes);
}
