import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { makeFastLane } from '#lib/http/server/fast-lane.ts';

/** The API on a port of its own, to be killed or to be kept short of memory. Tells its parent the port, and when asked the most memory that it has had. */
process.once('disconnect', () => process.exit(0));
process.on('message', () => process.send?.({ maxRss: process.resourceUsage().maxRSS * 1024 }));
const listener = await makeFastLane(join(import.meta.dirname, '../../../app'), (_, outgoing) => outgoing.end());
const server = createServer({ requestTimeout: 0 }, listener);
server.listen(0, '127.0.0.1', () => {
  // What a hash needs is loaded, too.
  createHash('sha256').update('').digest();
  process.send?.({ port: (server.address() as AddressInfo).port });
});
