import { Transform } from 'readable-stream';
import { shared } from '../node/given.ts';
import type { Hash as Algorithm } from '../web-crypto/hashing.ts';
import { failure, fromBytes, type Input, toBytes } from './encodings.ts';

type Running = { update(data: Uint8Array): unknown; digest(): Uint8Array; clone(): Running };

/** https://nodejs.org/api/crypto.html#class-hash, and of Hmac: the same but for how it begins. */
class Digest extends Transform {
  #running: Running;
  #isOver = false;
  #made: Uint8Array | undefined;

  constructor(running: Running) {
    super({
      transform: (chunk: Input, encoding: string, callback: () => void) => {
        this.update(chunk, encoding);
        callback();
      },
      flush: (callback: (error: null, bytes: unknown) => void) => callback(null, fromBytes(this.#whole())),
    });
    this.#running = running;
  }

  update(data: Input, encoding?: string): this {
    if (this.#isOver) throw failure('Digest already called', 'ERR_CRYPTO_HASH_FINALIZED');
    this.#running.update(toBytes(data, encoding));
    return this;
  }

  digest(encoding?: string) {
    if (this.#isOver) throw failure('Digest already called', 'ERR_CRYPTO_HASH_FINALIZED');
    this.#isOver = true;
    return fromBytes(this.#whole(), encoding);
  }

  /** Once: also for who asks after a stream that was piped into it has ended. */
  #whole(): Uint8Array {
    this.#made ??= this.#running.digest();
    return this.#made;
  }

  copy(): Digest {
    return new Digest(this.#running.clone());
  }
}

export function createHash(name: string): Digest {
  return new Digest(requireHash(name).create() as unknown as Running);
}

export function createHmac(name: string, key: Input): Digest {
  const { hmac } = shared().web.hashing;
  return new Digest(hmac.create(requireHash(name), toBytes(key)) as unknown as Running);
}

/** Node's shorter form of the same. */
export function hash(name: string, data: Input, encoding = 'hex') {
  return createHash(name).update(data).digest(encoding);
}

export function requireHash(name: string): Algorithm {
  const found = shared().web.hashing.hashOf(name);
  if (!found) throw failure('Digest method not supported', 'ERR_CRYPTO_INVALID_DIGEST');
  return found;
}
