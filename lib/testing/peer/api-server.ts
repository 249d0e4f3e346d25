import { createServer } from 'node:http';
import { env } from '#lib/base/env.ts';
import { startBackground } from '#lib/http/server/background.ts';
import { makeFastLane } from '#lib/http/server/fast-lane.ts';
import { attachSockets, isForSockets } from '#lib/http/sockets/attach-sockets.ts';

/** The API as server.ts serves it, without the pages and so without a build. A process of its own; says `ready` to its parent. */
const appDir = `${import.meta.dirname}/../../../app`;
const listener = await makeFastLane(appDir, (_, outgoing) => outgoing.writeHead(404).end());
await startBackground();
const server = createServer({ shouldUpgradeCallback: isForSockets }, listener);
attachSockets(server);
server.listen(env().PORT, () => process.send?.('ready'));
process.once('disconnect', () => process.exit(0));
