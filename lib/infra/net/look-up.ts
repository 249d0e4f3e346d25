import { type LookupAddress, promises } from 'node:dns';
import { setTimeout } from 'node:timers/promises';
import { env } from '#lib/base/env.ts';
import { ownResolver } from './own-resolver.ts';

/** What addresses of IPv6 have after those of IPv4 are there (RFC 8305 §3, and some more: a machine may have no other network). */
const RESOLUTION_DELAY_MS = 250;

/**
 * The addresses of a name in the open internet; with FETCH_PRIVATE_ADDRESSES, of any that this machine knows. Rejects with Node's errors.
 *
 * Not by getaddrinfo: that waits in one of a few threads, which all of this process share, for as long as a name's servers like, and is not called
 * off. It knows what stands in this machine's own files; those names are none of the open internet.
 */
export async function lookUp(host: string): Promise<LookupAddress[]> {
  if (env().FETCH_PRIVATE_ADDRESSES) return promises.lookup(host, { all: true });
  const resolver = ownResolver();
  const found: LookupAddress[] = [];
  const four = keep(4, resolver.resolve4(host));
  const six = keep(6, resolver.resolve6(host));
  const both = Promise.allSettled([four, six]);
  await Promise.any([four, six]).catch((error: AggregateError) => {
    throw error.errors[0];
  });
  await Promise.race([both, found.some(({ family }) => family === 4) ? setTimeout(RESOLUTION_DELAY_MS) : both]);
  return [...found];

  async function keep(family: number, addresses: Promise<string[]>): Promise<void> {
    for (const address of await addresses) found.push({ address, family });
  }
}
