import { host } from '../host.ts';
import { parse, stringify } from '../primordials.ts';
import { concat, copyOf, fromBase64, isBytes, toBase64 } from '../web/bytes.ts';
import { DOMException } from '../web/dom-exception.ts';
import type { JsonWebKey, Material } from './crypto-key.ts';

/** Bytes of one coordinate. */
const COORDINATE: Record<string, number> = { 'P-256': 32, 'P-384': 48, 'P-521': 66, secp256k1: 32 };
const CURVE_OF: Record<string, string> = { ed25519: 'Ed25519', x25519: 'X25519' };

export type Imported = { material: Material; type: 'secret' | 'private' | 'public' };

/** One of a pair, given as JWK, SPKI, PKCS#8, or (public keys of curves) the point. Throws a DataError for what is none. */
export function importOne(format: string, data: unknown, curve: string | undefined): Imported {
  if (format === 'jwk') {
    const jwk = data as JsonWebKey;
    return checked({ jwk, isPrivate: typeof jwk?.d === 'string' });
  }
  if (!isBytes(data)) throw new DOMException('The key must be bytes', 'DataError');
  const bytes = copyOf(data);
  if (format === 'raw') return checked({ jwk: pointToJwk(bytes, curve), isPrivate: false });
  if (format !== 'spki' && format !== 'pkcs8') throw new DOMException(`Unknown format: ${format}`, 'NotSupportedError');
  return checked({ der: toBase64(bytes), isPrivate: format === 'pkcs8' });
}

/** A key as bytes in a format of those. */
export function exportOne(format: string, { material, type }: Imported): ArrayBuffer | JsonWebKey {
  if (!('jwk' in material)) throw new DOMException('This key has no such format', 'NotSupportedError');
  const { jwk } = material;
  if (format === 'jwk') return { ...jwk };
  if (format === 'raw' && type === 'public') return jwkToPoint(jwk).buffer;
  if (format !== (type === 'private' ? 'pkcs8' : 'spki'))
    throw new DOMException(`A ${type} key has no form ${format}`, 'InvalidAccessError');
  const der = host('key', specOf({ material, type }), 'der');
  return fromBase64(der ?? refuse('The key cannot be exported')).buffer;
}

/** As the process reads it (runner/keys.ts). */
export function specOf({ material, type }: Imported): string {
  return stringify({ jwk: (material as { jwk: JsonWebKey }).jwk, isPrivate: type === 'private' });
}

export function refuse(message: string, name = 'DataError'): never {
  throw new DOMException(message, name);
}

export function toUrlBase64(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function checked(spec: { jwk?: JsonWebKey; der?: string; isPrivate: boolean }): Imported {
  const told =
    host('key', stringify(spec), 'jwk') ?? refuse('The key cannot be read, or is of a kind that is not taken');
  const { jwk } = parse(told) as { jwk: JsonWebKey };
  return { material: { jwk }, type: spec.isPrivate ? 'private' : 'public' };
}

function pointToJwk(bytes: Uint8Array, curve = ''): JsonWebKey {
  const crv = CURVE_OF[curve.toLowerCase()];
  if (crv) return { kty: 'OKP', crv, x: toUrlBase64(bytes) };
  const size = COORDINATE[curve] ?? refuse(`Unknown curve: ${curve}`, 'NotSupportedError');
  if (bytes[0] !== 4 || bytes.byteLength !== 1 + 2 * size) refuse('This is no uncompressed point of the curve');
  return { kty: 'EC', crv: curve, x: toUrlBase64(bytes.slice(1, 1 + size)), y: toUrlBase64(bytes.slice(1 + size)) };
}

function jwkToPoint({ kty, x = '', y = '' }: JsonWebKey): Uint8Array<ArrayBuffer> {
  if (kty === 'OKP') return fromBase64(x);
  if (kty !== 'EC') throw new DOMException('This key has no raw form', 'NotSupportedError');
  return concat([Uint8Array.of(4), fromBase64(x), fromBase64(y)]);
}
