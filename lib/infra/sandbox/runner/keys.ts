import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { SANDBOX_LIMITS } from '../host/limits.ts';
import { type Argument, Breach, text } from './untrusted.ts';

/** A key as it comes from a context: a JWK, a PEM, or DER in base64. */
type KeySpec = { jwk?: JsonWebKey; pem?: string; der?: string; isPrivate: boolean };

/** What one operation with them takes stays below some ten milliseconds. */
const MOST_MODULUS_BITS = 4096;
const MOST_EXPONENT = 2n ** 32n;
const CURVES: readonly unknown[] = ['prime256v1', 'secp384r1', 'secp521r1', 'secp256k1'];
const TYPES: readonly unknown[] = ['rsa', 'rsa-pss', 'ec', 'ed25519', 'x25519'];

/** The key that this JSON tells of. Throws for what is none, and for one that would take long: the thread is everybody's. */
export function readKey(json: Argument): KeyObject {
  const spec: unknown = JSON.parse(text(json, SANDBOX_LIMITS.keyCharacters));
  if (typeof spec !== 'object' || spec === null) throw new Breach();
  return requireQuick(toKey(spec as KeySpec));
}

function requireQuick(key: KeyObject): KeyObject {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details = {} } = key;
  if (!TYPES.includes(type)) throw new Error('This kind of key is not taken');
  if (type === 'ec' && !CURVES.includes(details.namedCurve)) throw new Error('This curve is not taken');
  if ((details.modulusLength ?? 0) > MOST_MODULUS_BITS || (details.publicExponent ?? 0n) > MOST_EXPONENT)
    throw new Error('The key is too large');
  return key;
}

function toKey({ jwk, pem, der, isPrivate }: KeySpec): KeyObject {
  const make = isPrivate ? createPrivateKey : createPublicKey;
  if (jwk) return make({ key: jwk, format: 'jwk' });
  // Of a private key that a pass phrase protects, its maker chose how long opening it takes: without the phrase, it is not opened.
  if (typeof pem === 'string') return make({ key: pem, format: 'pem' });
  if (typeof der !== 'string') throw new Breach();
  const key = Buffer.from(der, 'base64');
  return isPrivate
    ? createPrivateKey({ key, format: 'der', type: 'pkcs8' })
    : createPublicKey({ key, format: 'der', type: 'spki' });
}
