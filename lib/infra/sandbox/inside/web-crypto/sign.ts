import { host, type RsaPadding } from '../host.ts';
import { hashNamed, type Wanted } from './algorithms.ts';
import { CryptoKey } from './crypto-key.ts';
import { hashing } from './hashing.ts';
import { refuse, specOf } from './key-formats.ts';

export function signWith(wanted: Wanted, key: CryptoKey, data: Uint8Array): Uint8Array {
  const material = CryptoKey.materialOf(key);
  if ('raw' in material) return mac(key, material.raw, data);
  const { hash, padding } = waysOf(wanted, key);
  const signed = host('sign', specOf({ material, type: key.type }), hash, padding, 'ieee-p1363', data);
  return signed ?? refuse('The data could not be signed with this key', 'OperationError');
}

export function verifyWith(wanted: Wanted, key: CryptoKey, signature: Uint8Array, data: Uint8Array): boolean {
  const material = CryptoKey.materialOf(key);
  if ('raw' in material) return isSame(mac(key, material.raw, data), signature);
  const { hash, padding } = waysOf(wanted, key);
  return host('verify', specOf({ material, type: key.type }), hash, padding, 'ieee-p1363', data, signature) === true;
}

/** In a time that tells nothing of where they differ. */
function isSame(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.byteLength ^ b.byteLength;
  for (let at = 0; at < a.byteLength; at += 1) difference |= a[at]! ^ (b[at] ?? 0);
  return difference === 0;
}

function mac({ algorithm }: CryptoKey, raw: Uint8Array, data: Uint8Array): Uint8Array {
  return hashing.hmac(hashNamed(algorithm.hash?.name), raw, data);
}

function waysOf(
  { name, hash, saltLength = 0 }: Wanted,
  { algorithm }: CryptoKey,
): { hash: string; padding?: RsaPadding } {
  if (name !== algorithm.name) refuse('The key is of another algorithm', 'InvalidAccessError');
  if (name === 'Ed25519') return { hash: 'none' };
  const digest = hashing.plainName(hash ?? algorithm.hash?.name);
  if (name === 'ECDSA') return { hash: digest };
  if (name === 'RSA-PSS') return { hash: digest, padding: { kind: 'pss', saltLength } };
  return name === 'RSASSA-PKCS1-v1_5'
    ? { hash: digest, padding: { kind: 'pkcs1' } }
    : refuse(`${name} signs nothing`, 'NotSupportedError');
}
