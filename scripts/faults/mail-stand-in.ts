import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { atEnd } from '../lifetime.ts';

export type MailStandIn = {
  url: string;
  /** How many mails this address has. */
  countOf(address: string): number;
};

/** What Resend's API is to the product: a mail that comes again with the same key is the same mail. */
export async function startMailStandIn(): Promise<MailStandIn> {
  const keysOf = new Map<string, Set<string>>();
  const server = createServer(async (request, response) => {
    const { to } = (await json(request)) as { to: string | string[] };
    const key = String(request.headers['idempotency-key']);
    for (const address of [to].flat()) keysOf.set(address, (keysOf.get(address) ?? new Set()).add(key));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ id: `re_${key}` }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(async () => server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    countOf: (address) => keysOf.get(address)?.size ?? 0,
  };
}
