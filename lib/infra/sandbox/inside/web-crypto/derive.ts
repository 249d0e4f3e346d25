import { host } from '../host.ts';
import { hashNamed, type Wanted } from './algorithms.ts';
import { CryptoKey } from './crypto-key.ts';
import { hashing } from './hashing.ts';
import { refuse, specOf } from './key-formats.ts';

const NOTHING = new Uint8Array();

/** As long as asked for, in bits; ECDH gives what it has where nothing is asked. */
export function deriveBytes(wanted: Wanted, key: CryptoKey, bits: number | null | undefined): Uint8Array<ArrayBuffer> {
  if (wanted.name === 'ECDH' || wanted.name === 'X25519') return agreed(wanted, key, bits);
  const material = CryptoKey.materialOf(key);
  if (!('raw' in material) || wanted.name !== key.algorithm.name)
    return refuse('The key is of another algorithm', 'InvalidAccessError');
  if (!bits || bits % 8 !== 0) return refuse('A length in bits is needed, of whole bytes', 'OperationError');
  const { salt = NOTHING, info = NOTHING, iterations = 0, hash } = wanted;
  const dkLen = bits / 8;
  if (wanted.name === 'HKDF') return hashing.hkdf(hashNamed(hash), material.raw, salt, info, dkLen).slice();
  if (iterations < 1) return refuse('PBKDF2 needs iterations', 'OperationError');
  return hashing.pbkdf2(hashNamed(hash), material.raw, salt, { c: iterations, dkLen }).slice();
}

function agreed({ public: theirs }: Wanted, key: CryptoKey, bits: number | null | undefined): Uint8Array<ArrayBuffer> {
  if (!(theirs instanceof CryptoKey)) throw new TypeError('The public key of the other side is needed');
  const [mine, other] = [key, theirs].map((one) => specOf({ material: CryptoKey.materialOf(one), type: one.type }));
  const bytes = host('agree', mine!, other!) ?? refuse('These keys do not agree on anything', 'OperationError');
  if (!bits) return bytes;
  if (bits > bytes.byteLength * 8) refuse('There are not so many bits', 'OperationError');
  return bytes.slice(0, Math.ceil(bits / 8));
}
