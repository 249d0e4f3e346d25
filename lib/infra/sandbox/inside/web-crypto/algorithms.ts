import { host } from '../host.ts';
import { concat, copyOf, isBytes } from '../web/bytes.ts';
import { CryptoKey } from './crypto-key.ts';
import { type Hash, hashing } from './hashing.ts';
import { refuse } from './key-formats.ts';

/** An algorithm as a caller names it, with what it may say besides. */
export type Wanted = {
  name: string;
  hash?: string;
  length?: number;
  namedCurve?: string;
  saltLength?: number;
  tagLength?: number;
  iterations?: number;
  iv?: Uint8Array;
  counter?: Uint8Array;
  additionalData?: Uint8Array;
  salt?: Uint8Array;
  info?: Uint8Array;
  label?: Uint8Array;
  public?: CryptoKey;
};

export const SECRETS: readonly string[] = ['HMAC', 'AES-GCM', 'AES-CBC', 'AES-CTR', 'PBKDF2', 'HKDF'];
export const PAIRS: readonly string[] = [
  'RSASSA-PKCS1-v1_5',
  'RSA-PSS',
  'RSA-OAEP',
  'ECDSA',
  'ECDH',
  'Ed25519',
  'X25519',
];
const DIGESTS: readonly string[] = ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'];
const NAMES = [...SECRETS, ...PAIRS, ...DIGESTS];

/** Names are known in any case. */
export function readAlgorithm(given: unknown): Wanted {
  const options = (typeof given === 'object' && given !== null ? given : { name: given }) as Record<string, unknown>;
  const asked = String(options.name).toLowerCase();
  const name =
    NAMES.find((known) => known.toLowerCase() === asked) ??
    refuse(`Unknown algorithm: ${String(options.name).slice(0, 100)}`, 'NotSupportedError');
  const wanted: Record<string, unknown> = { ...options, name };
  for (const [key, value] of Object.entries(options)) if (isBytes(value)) wanted[key] = copyOf(value);
  if (options.hash !== undefined) wanted.hash = readAlgorithm(options.hash).name;
  return wanted as Wanted;
}

export function hashNamed(name: string | undefined): Hash {
  const hash = DIGESTS.includes(name ?? '') ? hashing.hashOf(name) : undefined;
  return hash ?? refuse(`Unknown hash: ${name}`, 'NotSupportedError');
}

export function importSecret(raw: Uint8Array, wanted: Wanted, extractable: boolean, usages: string[]): CryptoKey {
  const { name, hash } = wanted;
  if (name.startsWith('AES') && ![16, 24, 32].includes(raw.byteLength)) refuse('A key of AES has 16, 24 or 32 bytes');
  if (name === 'HMAC') hashNamed(hash);
  const algorithm = { name, length: raw.byteLength * 8, ...(hash && { hash: { name: hash } }) };
  return new CryptoKey({ raw: raw.slice() }, { type: 'secret', extractable, algorithm, usages });
}

export function newSecret(wanted: Wanted, extractable: boolean, usages: string[]): CryptoKey {
  const length = wanted.length ?? (wanted.name === 'HMAC' ? hashNamed(wanted.hash).blockLen * 8 : 0);
  if (!(length > 0 && length <= 8192)) refuse('A key needs a length in bits', 'OperationError');
  return importSecret(randomBytes(Math.ceil(length / 8)), wanted, extractable, usages);
}

/** As many as asked for; the process gives 64 KiB at once. */
function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  for (let left = length; left > 0; left -= 65_536) parts.push(host('random', Math.min(left, 65_536))!);
  return concat(parts);
}
