import { host } from '../host.ts';
import type { Wanted } from './algorithms.ts';
import { CryptoKey } from './crypto-key.ts';
import { hashing } from './hashing.ts';
import { refuse, specOf } from './key-formats.ts';

/** Of AES-GCM; the others that the standard knows are not taken. */
const TAG_BITS = 128;

export function encryptWith(
  wanted: Wanted,
  key: CryptoKey,
  data: Uint8Array,
  encrypts: boolean,
): Uint8Array<ArrayBuffer> {
  const { name, iv, counter, additionalData: aad, tagLength = TAG_BITS, label } = wanted;
  if (name !== key.algorithm.name) refuse('The key is of another algorithm', 'InvalidAccessError');
  const material = CryptoKey.materialOf(key);
  if (!('raw' in material)) {
    const hash = hashing.plainName(key.algorithm.hash?.name);
    const spec = specOf({ material, type: key.type });
    return host('rsa', spec, encrypts, 'oaep', hash, label, data) ?? failed(encrypts);
  }
  if (tagLength !== TAG_BITS) refuse('A tag has 128 bits', 'NotSupportedError');
  const begin = (name === 'AES-CTR' ? counter : iv) ?? refuse(`${name} needs its iv`, 'OperationError');
  const cipher = `aes-${material.raw.byteLength * 8}-${name.slice(4).toLowerCase()}`;
  return host('cipher', cipher, encrypts, material.raw, begin, data, aad && { aad }) ?? failed(encrypts);
}

function failed(encrypts: boolean): never {
  return refuse(`The data could not be ${encrypts ? 'en' : 'de'}crypted`, 'OperationError');
}
