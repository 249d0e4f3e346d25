import { Buffer } from '../node/buffer.ts';
import { shared } from '../node/given.ts';
import { type Done, later } from '../node/later.ts';
import { type Input, toBytes } from './encodings.ts';
import { requireHash } from './hashes.ts';

type ScryptOptions = {
  N?: number;
  cost?: number;
  r?: number;
  blockSize?: number;
  p?: number;
  parallelization?: number;
} & {
  maxmem?: number;
};

/** In the bot's own time: whoever asks for a billion rounds waits until the run is stopped, and nobody else does. */
export function pbkdf2Sync(password: Input, salt: Input, iterations: number, length: number, digest: string): Buffer {
  const options = { c: iterations, dkLen: length };
  return Buffer.from(shared().web.hashing.pbkdf2(requireHash(digest), toBytes(password), toBytes(salt), options));
}

export function scryptSync(password: Input, salt: Input, length: number, options: ScryptOptions = {}): Buffer {
  const { N = options.cost ?? 16_384, r = options.blockSize ?? 8, p = options.parallelization ?? 1 } = options;
  const maxmem = options.maxmem ?? 32 * 1024 * 1024 + 1024;
  return Buffer.from(
    shared().web.hashing.scrypt(toBytes(password), toBytes(salt), { N, r, p, dkLen: length, maxmem: maxmem * 2 }),
  );
}

export function hkdfSync(digest: string, key: Input, salt: Input, info: Input, length: number): ArrayBuffer {
  const { hkdf } = shared().web.hashing;
  return hkdf(requireHash(digest), toBytes(key), toBytes(salt), toBytes(info), length).slice().buffer as ArrayBuffer;
}

export function hkdf(
  ...[digest, key, salt, info, length, done]: [...Parameters<typeof hkdfSync>, Done<ArrayBuffer>]
): void {
  later(() => hkdfSync(digest, key, salt, info, length), done);
}

export function pbkdf2(
  password: Input,
  salt: Input,
  rounds: number,
  length: number,
  digest: string,
  done: Done<Buffer>,
): void {
  later(() => pbkdf2Sync(password, salt, rounds, length, digest), done);
}

export function scrypt(
  password: Input,
  salt: Input,
  length: number,
  ...rest: [ScryptOptions, Done<Buffer>] | [Done<Buffer>]
): void {
  const [options, done] = rest.length === 2 ? rest : [{}, rest[0]];
  later(() => scryptSync(password, salt, length, options), done);
}
