import { secretMatches } from '#lib/infra/crypto/secret.ts';
import type { Client } from './find-client.ts';

/** Constant time, against the current secret and the retiring one. */
export function clientSecretMatches(client: Client, secret: string): boolean {
  const current = secretMatches(secret, client.secretHash);
  const retiring = secretMatches(secret, client.retiringHash);
  return current || retiring;
}
