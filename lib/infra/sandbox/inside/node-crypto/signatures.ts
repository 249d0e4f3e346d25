import { Writable } from 'readable-stream';
import { host, type RsaPadding } from '../host.ts';
import { Buffer } from '../node/buffer.ts';
import { shared } from '../node/given.ts';
import { failure, fromBytes, type Input, toBytes } from './encodings.ts';
import { createPrivateKey, createPublicKey, type KeyInput, KeyObject } from './keys.ts';

type Ways = { padding?: number; saltLength?: number; dsaEncoding?: string; oaepHash?: string; oaepLabel?: Input };
export type SignKey = KeyInput & Ways;

export const constants = {
  RSA_PKCS1_PADDING: 1,
  RSA_PKCS1_OAEP_PADDING: 4,
  RSA_PKCS1_PSS_PADDING: 6,
  RSA_PSS_SALTLEN_DIGEST: -1,
  RSA_PSS_SALTLEN_AUTO: -2,
};

class Collected extends Writable {
  protected readonly parts: Uint8Array[] = [];
  protected readonly hash: string;

  constructor(hash: string) {
    super();
    this.hash = hash;
  }

  _write(chunk: Input, encoding: string, callback: () => void): void {
    this.update(chunk, encoding);
    callback();
  }

  update(data: Input, encoding?: string): this {
    this.parts.push(Buffer.from(toBytes(data, encoding)));
    return this;
  }
}

class Sign extends Collected {
  sign(key: SignKey, encoding?: string) {
    return fromBytes(sign(this.hash, Buffer.concat(this.parts), key), encoding);
  }
}

class Verify extends Collected {
  verify(key: SignKey, signature: Input, encoding?: string): boolean {
    return verify(this.hash, Buffer.concat(this.parts), key, toBytes(signature, encoding));
  }
}

export function createSign(hash: string): Sign {
  return new Sign(hash);
}

export function createVerify(hash: string): Verify {
  return new Verify(hash);
}

export function sign(hash: string | null | undefined, data: Input, key: SignKey): Buffer {
  const spec = KeyObject.specOf(createPrivateKey(keyOf(key)));
  const { padding, dsaEncoding = 'der' } = waysOf(key);
  const signed = host('sign', spec, nameOf(hash), padding, dsaEncoding, bare(data));
  if (!signed) throw failure('The data could not be signed with this key');
  return Buffer.from(signed);
}

export function verify(hash: string | null | undefined, data: Input, key: SignKey, signature: Input): boolean {
  const spec = KeyObject.specOf(createPublicKey(keyOf(key)));
  const { padding, dsaEncoding = 'der' } = waysOf(key);
  return host('verify', spec, nameOf(hash), padding, dsaEncoding, bare(data), bare(signature)) === true;
}

export function publicEncrypt(key: SignKey, data: Input): Buffer {
  return rsa(key, KeyObject.specOf(createPublicKey(keyOf(key))), true, data);
}

export function privateDecrypt(key: SignKey, data: Input): Buffer {
  return rsa(key, KeyObject.specOf(createPrivateKey(keyOf(key))), false, data);
}

function rsa(key: SignKey, spec: string, encrypts: boolean, data: Input): Buffer {
  const { padding = constants.RSA_PKCS1_OAEP_PADDING, oaepHash = 'sha1', oaepLabel } = optionsOf(key);
  const kind = padding === constants.RSA_PKCS1_PADDING ? 'pkcs1' : 'oaep';
  const label = oaepLabel === undefined ? undefined : bare(oaepLabel);
  const done = host('rsa', spec, encrypts, kind, nameOf(oaepHash), label, bare(data));
  if (!done) throw failure(`The data could not be ${encrypts ? 'en' : 'de'}crypted`);
  return Buffer.from(done);
}

function optionsOf(key: SignKey): Ways {
  return typeof key === 'object' && 'key' in key ? (key as Ways) : {};
}

/** A KeyObject may stand where a key does, with ways beside it. */
function keyOf(key: SignKey): KeyInput {
  return typeof key === 'object' && 'key' in key && key.key instanceof KeyObject ? key.key : key;
}

function waysOf(key: SignKey): { padding?: RsaPadding; dsaEncoding?: string } {
  const { padding, saltLength, dsaEncoding } = optionsOf(key);
  if (padding === constants.RSA_PKCS1_PSS_PADDING) return { padding: { kind: 'pss', saltLength } };
  return { dsaEncoding, ...(padding !== undefined && { padding: { kind: 'pkcs1' as const } }) };
}

function nameOf(hash: string | null | undefined): string {
  return hash === null || hash === undefined ? 'none' : shared().web.hashing.plainName(hash);
}

/** Of their own: a view would cross with all that it is a view of. */
function bare(data: Input): Uint8Array {
  return Uint8Array.prototype.slice.call(toBytes(data));
}
