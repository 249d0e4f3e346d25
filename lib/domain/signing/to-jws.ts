import { createSign } from 'node:crypto';
import type { OwnKey } from './signing-keys.ts';

/**
 * RFC 7515 §3.1. By node:crypto, in this thread: on its way through WebCrypto's thread pool a signature took five times as long, and
 * every sign-in needs two or three.
 */
export function toJws({ alg, kid, privateKey }: OwnKey, payload: Record<string, unknown>, typ = 'JWT'): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${encode({ alg, kid, typ })}.${encode(payload)}`;
  // RFC 7518 §3.4: R and S side by side, not DER.
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
  return `${text}.${createSign(`SHA${alg.slice(2)}`)
    .update(text)
    .sign(key, 'base64url')}`;
}
