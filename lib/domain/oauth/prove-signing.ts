import { env } from '#lib/base/env.ts';
import { signingKeys } from '../signing/signing-keys.ts';
import { toJws } from '../signing/to-jws.ts';
import { verifyToken } from './verify-access-token.ts';

/** It is verified at once; a process that is busy in between is not unwell. */
const LIFE_SECONDS = 300;

/** Signs a token that is of no use to anybody, and verifies it. Throws when this process can do neither. */
export async function proveSigning(): Promise<void> {
  const [key] = await signingKeys();
  await verifyToken(toJws(key, { iss: env().BASE_URL, exp: Math.floor(Date.now() / 1000) + LIFE_SECONDS }));
}
