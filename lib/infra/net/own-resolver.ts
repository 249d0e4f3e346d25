import { Resolver } from 'node:dns/promises';
import { env } from '#lib/base/env.ts';

const LIMIT_MS = 3000;
const TRIES = 2;

/** One for each question: it asks DNS_SERVERS, or those that this machine has at that moment. */
export function ownResolver(): Resolver {
  const resolver = new Resolver({ timeout: LIMIT_MS, tries: TRIES });
  const { DNS_SERVERS } = env();
  if (DNS_SERVERS.length > 0) resolver.setServers(DNS_SERVERS);
  return resolver;
}
