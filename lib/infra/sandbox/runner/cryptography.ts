import {
  type CipherGCMTypes,
  constants,
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  privateDecrypt,
  publicEncrypt,
  sign,
  verify,
} from 'node:crypto';
import { readKey } from './keys.ts';
import { type Argument, Breach, bytes, oneOf, text } from './untrusted.ts';

type Operation = (...args: Argument[]) => unknown;

const CIPHER = /^aes-(?:128|192|256)-(?:cbc|ctr|ecb|gcm)$/;
const HASHES = ['sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'none'] as const;
const PADDINGS = ['pkcs1', 'pss', 'oaep'] as const;
const CURVES = ['P-256', 'P-384', 'P-521', 'secp256k1', 'Ed25519', 'X25519'] as const;
const ENCODINGS = ['pkcs1', 'pkcs8', 'sec1', 'spki'] as const;
const TAG_BYTES = 16;
const PADDING = {
  pkcs1: constants.RSA_PKCS1_PADDING,
  pss: constants.RSA_PKCS1_PSS_PADDING,
  oaep: constants.RSA_PKCS1_OAEP_PADDING,
} as const;

/**
 * What of cryptography OpenSSL does better than a bot's context: ciphers, and keys in pairs. Each is over in some ten milliseconds, since all
 * contexts of the process wait for it; hashes, and what takes as long as its caller says (PBKDF2, scrypt), a bot does in its own time.
 */
export const cryptography: Record<string, Operation> = {
  cipher: (name, encrypts, key, iv, data, more) => {
    const { aad, padding } = record(more);
    const algorithm = text(name, 20);
    if (!CIPHER.test(algorithm)) throw new Error('This cipher is not there');
    const given = [bytes(key), algorithm.endsWith('ecb') ? null : bytes(iv)] as const;
    const run = encrypts === true ? encipher : decipher;
    return new Uint8Array(
      run(algorithm, given, bytes(data), aad === undefined ? undefined : bytes(aad), padding !== false),
    );
  },
  sign: (key, hash, padding, dsaEncoding, data) => {
    const signed = sign(nameOf(hash), bytes(data), { key: readKey(key), ...waysOf(padding, dsaEncoding) });
    return new Uint8Array(signed);
  },
  verify: (key, hash, padding, dsaEncoding, data, signature) =>
    verify(nameOf(hash), bytes(data), { key: readKey(key), ...waysOf(padding, dsaEncoding) }, bytes(signature)),
  rsa: (key, encrypts, padding, hash, label, data) => {
    const oaepLabel = label === undefined ? undefined : bytes(label);
    const ways = { padding: PADDING[oneOf(PADDINGS, padding)], oaepHash: nameOf(hash) ?? 'sha1', oaepLabel };
    const run = encrypts === true ? publicEncrypt : privateDecrypt;
    return new Uint8Array(run({ key: readKey(key), ...ways }, bytes(data)));
  },
  agree: (privateKey, publicKey) =>
    new Uint8Array(diffieHellman({ privateKey: readKey(privateKey), publicKey: readKey(publicKey) })),
  'new-key': (curve) => JSON.stringify(newPair(oneOf(CURVES, curve)).export({ format: 'jwk' })),
  /** A key told otherwise: as a JWK with what it is, as PEM, or as DER in base64; these as they usually stand (PKCS#8, SPKI), or as is said. */
  key: (key, format, as) => {
    const read = readKey(key);
    const usual = read.type === 'private' ? 'pkcs8' : 'spki';
    const type = as === undefined ? usual : oneOf(ENCODINGS, as);
    const { asymmetricKeyType } = read;
    if (format === 'pem') return read.export({ format: 'pem', type }).toString();
    if (format === 'der') return read.export({ format: 'der', type }).toString('base64');
    return JSON.stringify({ jwk: read.export({ format: 'jwk' }), kind: asymmetricKeyType, type: read.type });
  },
  'public-key': (key) => JSON.stringify(createPublicKey(readKey(key)).export({ format: 'jwk' })),
};

type KeyAndIv = readonly [Uint8Array, Uint8Array | null];

function encipher(name: string, [key, iv]: KeyAndIv, data: Uint8Array, aad: Uint8Array | undefined, pads: boolean) {
  if (!name.endsWith('gcm')) {
    const plain = createCipheriv(name, key, iv).setAutoPadding(pads);
    return Buffer.concat([plain.update(data), plain.final()]);
  }
  const cipher = createCipheriv(name as CipherGCMTypes, key, iv!, { authTagLength: TAG_BYTES });
  if (aad) cipher.setAAD(aad);
  return Buffer.concat([cipher.update(data), cipher.final(), cipher.getAuthTag()]);
}

/** With GCM, the tag is the end of the data. */
function decipher(name: string, [key, iv]: KeyAndIv, data: Uint8Array, aad: Uint8Array | undefined, pads: boolean) {
  if (!name.endsWith('gcm')) {
    const plain = createDecipheriv(name, key, iv).setAutoPadding(pads);
    return Buffer.concat([plain.update(data), plain.final()]);
  }
  const cipher = createDecipheriv(name as CipherGCMTypes, key, iv!, { authTagLength: TAG_BYTES });
  if (aad) cipher.setAAD(aad);
  cipher.setAuthTag(data.subarray(Math.max(0, data.length - TAG_BYTES)));
  return Buffer.concat([cipher.update(data.subarray(0, Math.max(0, data.length - TAG_BYTES))), cipher.final()]);
}

function waysOf(padding: Argument, dsaEncoding: Argument) {
  const { kind, saltLength } = record(padding);
  return {
    ...(kind !== undefined && { padding: PADDING[oneOf(PADDINGS, kind)] }),
    ...(typeof saltLength === 'number' && { saltLength: Math.max(-2, Math.min(Math.trunc(saltLength), 512)) }),
    dsaEncoding: oneOf(['der', 'ieee-p1363'] as const, dsaEncoding),
  };
}

function nameOf(hash: Argument): string | undefined {
  const name = oneOf(HASHES, hash);
  return name === 'none' ? undefined : name;
}

function newPair(curve: (typeof CURVES)[number]) {
  if (curve === 'Ed25519') return generateKeyPairSync('ed25519').privateKey;
  if (curve === 'X25519') return generateKeyPairSync('x25519').privateKey;
  return generateKeyPairSync('ec', { namedCurve: curve }).privateKey;
}

/** By a copy of ours: names of it are looked at once. */
function record(value: Argument): Record<string, unknown> {
  if (value === undefined) return {};
  if (typeof value !== 'object' || value === null) throw new Breach();
  return value as Record<string, unknown>;
}
