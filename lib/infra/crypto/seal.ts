import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deriveKey, keyring, secretName } from './keyring.ts';

/**
 * Encrypts with AES-256-GCM under a key derived from AUTH_SECRET for this purpose, and says under which secret. The purpose is also
 * authenticated: what was sealed for one purpose does not open for another.
 */
export function seal(purpose: string, plain: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', deriveKey(keyring()[0], purpose), iv);
  cipher.setAAD(Buffer.from(purpose));
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return `${sealedNow()}${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')}`;
}

/** How every text begins that is sealed under the AUTH_SECRET of today. */
export function sealedNow(): string {
  return `v2.${secretName(keyring()[0])}.`;
}

/** Throws when the text was changed, or sealed under a secret that is not in the keyring, or for another purpose. */
export function unseal(purpose: string, sealed: string): string {
  const [, version, name, content] = /^(v1|v2)\.(?:([\w-]{8})\.)?([\w-]+)$/.exec(sealed) ?? [];
  // The first format did not say under which.
  const secrets = keyring().filter((secret) => version === 'v1' || secretName(secret) === name);
  const bytes = Buffer.from(content ?? '', 'base64url');
  // Decoding passes over a last character that makes no byte.
  if (bytes.toString('base64url') !== content) throw new Error('Not as it was sealed');
  let problem: unknown = new Error('Sealed under a secret that is neither AUTH_SECRET nor in AUTH_SECRET_PREVIOUS');
  for (const secret of secrets) {
    try {
      return open(deriveKey(secret, purpose), purpose, bytes);
    } catch (error) {
      problem = error;
    }
  }
  throw problem;
}

function open(key: Buffer, purpose: string, bytes: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(purpose));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
}
