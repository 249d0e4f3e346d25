import { type LookupAddress, promises } from 'node:dns';
import { setTimeout } from 'node:timers/promises';
import { env } from '#lib/base/env.ts';

/**
 * Not by getaddrinfo: that waits in one of a few threads, which all of this process share, for as long as a name's servers like, and is not called
 * off. It knows what stands in this machine's own files; those names are none of the open internet.
 */
const resolver = new promises.Resolver({ timeout: 3000, tries: 2 });
/** What the second kind of address has after the first is there (RFC 8305 §3). */
const RESOLUTION_DELAY_MS = 50;

/** The addresses of a name in the open internet; with FETCH_PRIVATE_ADDRESSES, of any that this machine knows. Rejects with Node's errors. */
export async function lookUp(host: string): Promise<LookupAddress[]> {
  if (env().FETCH_PRIVATE_ADDRESSES) return promises.lookup(host, { all: true });
  const found: LookupAddress[] = [];
  const asked = [keep(4, resolver.resolve4(host)), keep(6, resolver.resolve6(host))];
  const all = Promise.allSettled(asked);
  await Promise.any(asked).catch((error: AggregateError) => {
    throw error.errors[0];
  });
  await Promise.race([all, setTimeout(RESOLUTION_DELAY_MS)]);
  return found;

  async function keep(family: number, addresses: Promise<string[]>): Promise<void> {
    for (const address of await addresses) found.push({ address, family });
  }
}
