import { host } from '../host.ts';
import { Buffer } from '../node/buffer.ts';
import { later } from '../node/later.ts';
import { failure, type Input, toBytes } from './encodings.ts';

type Jwk = Record<string, unknown>;
type Encoding = { type?: string; format?: string };
type PairOptions = { namedCurve?: string; publicKeyEncoding?: Encoding; privateKeyEncoding?: Encoding };
type KeyOptions = { key: unknown; format?: string; type?: string; passphrase?: unknown; encoding?: string };
export type KeyInput = Input | KeyObject | KeyOptions;
type Held = { jwk: Jwk } | { secret: Uint8Array };

/** https://nodejs.org/api/crypto.html#class-keyobject */
export class KeyObject {
  readonly type: 'secret' | 'private' | 'public';
  readonly asymmetricKeyType: string | undefined;
  readonly #held: Held;

  constructor(type: KeyObject['type'], held: Held, kind?: string) {
    this.type = type;
    this.#held = held;
    this.asymmetricKeyType = kind;
  }

  /** As the process reads it (runner/keys.ts). */
  static specOf(key: KeyObject): string {
    if (!('jwk' in key.#held)) throw failure('A secret is no key of a pair', 'ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE');
    return JSON.stringify({ jwk: key.#held.jwk, isPrivate: key.type === 'private' });
  }

  /** Packages know one by it. */
  get [Symbol.toStringTag](): string {
    return 'KeyObject';
  }

  get symmetricKeySize(): number | undefined {
    return 'secret' in this.#held ? this.#held.secret.byteLength : undefined;
  }

  /** https://nodejs.org/api/crypto.html#keyobjectasymmetrickeydetails */
  get asymmetricKeyDetails(): { namedCurve?: string; modulusLength?: number; publicExponent?: bigint } | undefined {
    if (!('jwk' in this.#held)) return undefined;
    const { kty, crv, n, e } = this.#held.jwk;
    if (kty === 'EC') return { namedCurve: Object.keys(CURVES).find((name) => CURVES[name] === crv) ?? String(crv) };
    if (kty !== 'RSA') return {};
    return { modulusLength: toNumber(n).toString(2).length, publicExponent: toNumber(e) };
  }

  export({ format = 'buffer', type }: Encoding = {}) {
    const held = this.#held;
    if ('secret' in held) {
      const bytes = Buffer.from(held.secret);
      return format === 'jwk' ? { kty: 'oct', k: bytes.toString('base64url' as never) } : bytes;
    }
    if (format === 'jwk') return { ...held.jwk };
    if (type !== undefined && !ENCODINGS.includes(type))
      throw failure('Unknown type of key encoding', 'ERR_INVALID_ARG_VALUE');
    const told = host('key', KeyObject.specOf(this), format === 'pem' ? 'pem' : 'der', type);
    if (told === undefined) throw failure('The key cannot be exported');
    return format === 'pem' ? told : Buffer.from(told, 'base64');
  }
}

export function createSecretKey(key: Input, encoding?: string): KeyObject {
  return new KeyObject('secret', { secret: toBytes(key, encoding).slice() });
}

export function createPrivateKey(key: KeyInput): KeyObject {
  return key instanceof KeyObject ? key : read(key, true);
}

/** Also of a private key: the one that belongs to it. */
export function createPublicKey(key: KeyInput): KeyObject {
  if (key instanceof KeyObject && key.type === 'public') return key;
  if (!(key instanceof KeyObject) && !isPrivate(key)) return read(key, false);
  const whole = createPrivateKey(key);
  const jwk = host('public-key', KeyObject.specOf(whole));
  if (jwk === undefined) throw unreadable();
  return new KeyObject('public', { jwk: JSON.parse(jwk) }, whole.asymmetricKeyType);
}

/** The keys, or where an encoding is said what their `export` gives by it. */
export function generateKeyPairSync(kind: string, options: PairOptions = {}) {
  const { namedCurve = '', publicKeyEncoding, privateKeyEncoding } = options;
  const curve = kind === 'ec' ? (CURVES[namedCurve] ?? namedCurve) : OF_KIND[kind];
  if (curve === undefined) throw failure('RSA keys are not made in a bot: bring one', 'ERR_INVALID_ARG_VALUE');
  const jwk = host('new-key', curve);
  if (jwk === undefined) throw failure('Unknown curve', 'ERR_CRYPTO_INVALID_CURVE');
  const privateKey = new KeyObject('private', { jwk: JSON.parse(jwk) }, kind);
  const publicKey = createPublicKey(privateKey);
  return {
    privateKey: privateKeyEncoding ? privateKey.export(privateKeyEncoding) : privateKey,
    publicKey: publicKeyEncoding ? publicKey.export(publicKeyEncoding) : publicKey,
  };
}

export function generateKeyPair(
  kind: string,
  options: PairOptions,
  done: (error: unknown, publicKey?: unknown, privateKey?: unknown) => void,
): void {
  later(
    () => generateKeyPairSync(kind, options),
    (error, made) => (made ? done(null, made.publicKey, made.privateKey) : done(error)),
  );
}

const ENCODINGS: readonly string[] = ['pkcs1', 'pkcs8', 'sec1', 'spki'];
const OF_KIND: Record<string, string> = { ed25519: 'Ed25519', x25519: 'X25519' };
const CURVES: Record<string, string> = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' };

function read(key: Exclude<KeyInput, KeyObject>, asPrivate: boolean): KeyObject {
  const told = host('key', JSON.stringify({ ...specOf(key), isPrivate: asPrivate }), 'jwk');
  if (told === undefined) throw unreadable();
  const { jwk, kind } = JSON.parse(told);
  return new KeyObject(asPrivate ? 'private' : 'public', { jwk }, kind);
}

function specOf(given: Exclude<KeyInput, KeyObject>) {
  const { key, format, passphrase } = optionsOf(given);
  if (passphrase !== undefined)
    throw failure(
      'Keys that a pass phrase protects are not opened in a bot: keep it as a secret',
      'ERR_INVALID_ARG_VALUE',
    );
  if (format === 'jwk') return { jwk: key };
  const bytes = Buffer.from(toBytes(key as Input));
  return format === 'der' ? { der: bytes.toString('base64') } : { pem: bytes.toString() };
}

function isPrivate(given: Exclude<KeyInput, KeyObject>): boolean {
  const { key, format, type } = optionsOf(given);
  if (format === 'jwk') return (key as Jwk).d !== undefined;
  return format === 'der' ? type === 'pkcs8' : Buffer.from(toBytes(key as Input)).includes('PRIVATE KEY-----');
}

function optionsOf(given: Exclude<KeyInput, KeyObject>): KeyOptions {
  return typeof given === 'object' && 'key' in given ? given : { key: given };
}

/** Of base64url, big-endian (RFC 7518 §6.3.1). */
function toNumber(text: unknown): bigint {
  return BigInt(`0x${Buffer.from(String(text), 'base64url' as never).toString('hex')}`);
}

function unreadable(): Error {
  return failure('The key cannot be read, or is of a kind that is not taken', 'ERR_OSSL_UNSUPPORTED');
}
