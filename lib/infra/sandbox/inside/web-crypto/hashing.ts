import { hkdf } from '@noble/hashes/hkdf.js';
import { hmac } from '@noble/hashes/hmac.js';
import { md5, ripemd160, sha1 } from '@noble/hashes/legacy.js';
import { pbkdf2 } from '@noble/hashes/pbkdf2.js';
import { scrypt } from '@noble/hashes/scrypt.js';
import { sha224, sha256, sha384, sha512, sha512_256 } from '@noble/hashes/sha2.js';
import { sha3_256, sha3_384, sha3_512 } from '@noble/hashes/sha3.js';

const HASHES = {
  __proto__: null,
  md5,
  ripemd160,
  sha1,
  sha224,
  sha256,
  sha384,
  sha512,
  sha512256: sha512_256,
  sha3256: sha3_256,
  sha3384: sha3_384,
  sha3512: sha3_512,
} as unknown as Record<string, typeof sha256 | undefined>;

export type Hash = typeof sha256;

/**
 * Hashes and what is made of them, in the bot's own time and memory: what its caller asks for may take as long as they like, and a run can be
 * stopped within it. `hashOf` takes a name however it is written: sha256, SHA-256, RSA-SHA256.
 */
export const hashing = {
  hashOf: (name: unknown): Hash | undefined => HASHES[plainName(name)],
  plainName,
  names: Object.keys(HASHES),
  hkdf,
  hmac,
  pbkdf2,
  scrypt,
};

function plainName(name: unknown): string {
  return String(name).toLowerCase().replace(/^rsa-/, '').replace(/[-/_]/g, '');
}
