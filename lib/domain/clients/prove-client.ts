import { countSignIn } from '#lib/infra/metrics/count.ts';
import type { Ctx } from '../access/context.ts';
import { attemptSecret } from '../limits/attempt-secret.ts';
import { networkOf } from '../limits/network-of.ts';
import type { Client } from './find-client.ts';
import { matchSecret } from './match-secret.ts';
import { touchSecret } from './touch-secret.ts';

/** Wrong secrets in 15 minutes: of one client from one network, and of clients that are none. */
const OF_CLIENT = 10;
const OF_NOBODY = 60;

/**
 * Whether one of the secrets is the client's; wherever one is taken, so that none of these doors is the one to guess at. Throws 429 to the
 * network that was wrong too often: the program whose secret it is, which is elsewhere, goes on. Unknown clients are none of its clients'
 * fault, so they count apart.
 */
export function proveClient(
  ctx: Pick<Ctx, 'remoteAddress' | 'client'>,
  client: Client | undefined,
  secrets: string[],
): Promise<boolean> {
  // Each is compared, for constant time.
  return countProof(ctx, client, () => {
    const matches = client ? secrets.map((secret) => matchSecret(client, secret)) : [];
    const found = matches.find((match) => match !== undefined);
    if (found?.named) touchSecret(found.named.id);
    return found !== undefined;
  });
}

/** The same, for whatever else a client may prove itself by. */
export function countProof(
  ctx: Pick<Ctx, 'remoteAddress' | 'client'>,
  client: Client | undefined,
  isRight: () => boolean,
): Promise<boolean> {
  if (client) ctx.client = { projectId: client.projectId, clientId: client.id };
  const network = networkOf(ctx.remoteAddress);
  const attempt = client
    ? { key: `client:${client.id}:${network}`, limit: OF_CLIENT }
    : { key: `no-client:${network}`, limit: OF_NOBODY };
  return countSignIn('client-secret', attemptSecret(attempt, isRight));
}
