import { copyOf, fromBase64, isBytes } from '../web/bytes.ts';
import { hashNamed, importSecret, newSecret, PAIRS, readAlgorithm, SECRETS, type Wanted } from './algorithms.ts';
import { CryptoKey, type JsonWebKey } from './crypto-key.ts';
import { deriveBytes } from './derive.ts';
import { encryptWith } from './encrypt.ts';
import { exportOne, importOne, refuse, toUrlBase64 } from './key-formats.ts';
import { newPair } from './new-pair.ts';
import { signWith, verifyWith } from './sign.ts';

type Usages = string[];

/** https://w3c.github.io/webcrypto/#subtlecrypto-interface. RSA keys are brought, not made here: that takes seconds. */
export const subtle = {
  async digest(algorithm: unknown, data: unknown): Promise<ArrayBuffer> {
    return hashNamed(readAlgorithm(algorithm).name)(bytesOf(data)).slice().buffer as ArrayBuffer;
  },

  async importKey(
    format: string,
    data: unknown,
    algorithm: unknown,
    extractable: boolean,
    usages: Usages,
  ): Promise<CryptoKey> {
    const wanted = readAlgorithm(algorithm);
    if (SECRETS.includes(wanted.name)) {
      const raw = format === 'jwk' ? fromBase64(String((data as JsonWebKey).k)) : rawOf(format, data);
      return importSecret(raw, wanted, extractable, usages);
    }
    const { name, namedCurve, hash } = pairOf(wanted);
    const imported = importOne(format, data, namedCurve ?? name);
    const facts = { name, ...(namedCurve && { namedCurve }), ...(hash && { hash: { name: hash } }) };
    return new CryptoKey(imported.material, { type: imported.type, extractable, algorithm: facts, usages });
  },

  async exportKey(format: string, key: CryptoKey): Promise<ArrayBuffer | JsonWebKey> {
    if (!key.extractable) refuse('The key is not extractable', 'InvalidAccessError');
    const material = CryptoKey.materialOf(key);
    if (!('raw' in material)) return exportOne(format, { material, type: key.type });
    if (format === 'raw') return material.raw.slice().buffer as ArrayBuffer;
    if (format !== 'jwk') refuse(`A secret key has no form ${format}`, 'NotSupportedError');
    return { kty: 'oct', k: toUrlBase64(material.raw), ext: true, key_ops: key.usages };
  },

  async generateKey(algorithm: unknown, extractable: boolean, usages: Usages) {
    const wanted = readAlgorithm(algorithm);
    return SECRETS.includes(wanted.name)
      ? newSecret(wanted, extractable, usages)
      : newPair(pairOf(wanted), extractable, usages);
  },

  async sign(algorithm: unknown, key: CryptoKey, data: unknown): Promise<ArrayBuffer> {
    return signWith(readAlgorithm(algorithm), usable(key, 'sign'), bytesOf(data)).slice().buffer as ArrayBuffer;
  },

  async verify(algorithm: unknown, key: CryptoKey, signature: unknown, data: unknown): Promise<boolean> {
    return verifyWith(readAlgorithm(algorithm), usable(key, 'verify'), bytesOf(signature), bytesOf(data));
  },

  async encrypt(algorithm: unknown, key: CryptoKey, data: unknown): Promise<ArrayBuffer> {
    return encryptWith(readAlgorithm(algorithm), usable(key, 'encrypt'), bytesOf(data), true).buffer;
  },

  async decrypt(algorithm: unknown, key: CryptoKey, data: unknown): Promise<ArrayBuffer> {
    return encryptWith(readAlgorithm(algorithm), usable(key, 'decrypt'), bytesOf(data), false).buffer;
  },

  async deriveBits(algorithm: unknown, key: CryptoKey, length?: number | null): Promise<ArrayBuffer> {
    return deriveBytes(readAlgorithm(algorithm), usable(key, 'deriveBits', 'deriveKey'), length).buffer;
  },

  async deriveKey(algorithm: unknown, key: CryptoKey, made: unknown, extractable: boolean, usages: Usages) {
    const wanted = readAlgorithm(made);
    const length = wanted.length ?? (wanted.hash ? hashNamed(wanted.hash).blockLen * 8 : undefined);
    const bytes = deriveBytes(readAlgorithm(algorithm), usable(key, 'deriveKey'), length);
    return importSecret(bytes, wanted, extractable, usages);
  },
};

function pairOf(wanted: Wanted): Wanted {
  return PAIRS.includes(wanted.name) ? wanted : refuse(`Unknown algorithm: ${wanted.name}`, 'NotSupportedError');
}

function rawOf(format: string, data: unknown): Uint8Array {
  return format === 'raw' ? bytesOf(data) : refuse(`A secret key has no form ${format}`, 'NotSupportedError');
}

function usable(key: CryptoKey, ...usages: string[]): CryptoKey {
  if (!(key instanceof CryptoKey)) throw new TypeError('A CryptoKey is needed');
  return usages.some((usage) => key.usages.includes(usage))
    ? key
    : refuse(`The key is not for this: its usages lack ${usages[0]}`, 'InvalidAccessError');
}

function bytesOf(data: unknown): Uint8Array {
  return isBytes(data) ? copyOf(data) : refuseType();
}

function refuseType(): never {
  throw new TypeError('Bytes are needed: an ArrayBuffer, or a view of one');
}
