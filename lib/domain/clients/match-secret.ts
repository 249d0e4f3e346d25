import { secretMatches } from '#lib/infra/crypto/secret.ts';
import type { Client, NamedSecret } from './find-client.ts';

/** Which secret it is: one that was added by name, or (`undefined`) the client's first or the one before it. */
export type Match = { named: NamedSecret | undefined };

/** Constant time, against all that the client has; one that has expired is none. Undefined when it is none of them. */
export function matchSecret(client: Client, secret: string, now = Date.now()): Match | undefined {
  const first = secretMatches(secret, client.secretHash);
  const retiring = secretMatches(secret, client.retiringHash);
  const named = client.secrets.filter(({ hash }) => secretMatches(secret, hash));
  const [one] = named.filter(({ endsAt }) => endsAt === null || endsAt > now);
  return first || retiring ? { named: undefined } : one && { named: one };
}
