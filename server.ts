import cluster from 'node:cluster';
import { createServer, type Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { env } from '#lib/base/env.ts';
import { log } from '#lib/base/log.ts';
import { reasonOf } from '#lib/base/reason-of.ts';
import { RETIRE } from '#lib/base/retire.ts';
import { WRONG_SETTINGS_EXIT, WrongSettings } from '#lib/base/wrong-settings.ts';
import { endLive } from '#lib/domain/run-log/live/live-places.ts';
import { startBackground } from '#lib/http/server/background.ts';
import { type Listener, makeFastLane } from '#lib/http/server/fast-lane.ts';
import { pagesElsewhere } from '#lib/http/server/pages-elsewhere.ts';
import { listenToSiblings, PAGES_PLACE, siblings } from '#lib/http/server/siblings.ts';
import { watchBodies } from '#lib/http/server/watch-bodies.ts';
import { attachSockets, closeSockets, isForSockets } from '#lib/http/sockets/attach-sockets.ts';

/** How long requests in flight may take once the server is told to stop. */
const DRAIN_LIMIT_MS = 10_000;
/** So long a client whose process is replaced may send one more request on its connection, and is told to open another. */
const LAST_REQUEST_MS = 5000;
/** Longer than a balancer's (60 s is usual): it must be the balancer that closes an idle connection. */
const KEEP_ALIVE_MS = 65_000;

const HEADERS_MS = 20_000;
/** Of a process that does jobs and nothing else (scripts/supervise/worker.ts): how it does. */
const WORKER_ROOTS = ['healthcheck', 'metrics'];
const isWorker = process.env.GATEHOUSE_WORKER === '1';

// instrumentation.ts starts the background parts where this file does not run (`next dev`, `next start`).
process.env.GATEHOUSE_SERVER = '1';
await main().catch((error: unknown) => {
  // Here and not where it is thrown: Next has a handler of its own for what nobody catches, and goes on without us.
  log.fatal({ err: error, reason: reasonOf(error) }, 'cannot start');
  process.exit(error instanceof WrongSettings ? WRONG_SETTINGS_EXIT : 1);
});

async function main(): Promise<void> {
  const { PORT } = env();
  const pages: { answer?: Listener } = {};
  // First of all: it replaces the global Request and Response, and Next's classes must extend the new ones.
  const listener = await makeFastLane(
    `${import.meta.dirname}/app`,
    (incoming, outgoing) => pages.answer!(incoming, outgoing),
    isWorker ? WORKER_ROOTS : undefined,
  );
  const among = siblings();
  if (isWorker) pages.answer = (_, outgoing) => outgoing.writeHead(404).end();
  else pages.answer = among && among.place !== PAGES_PLACE ? pagesElsewhere(among) : await prepareNext(PORT);
  const stopBackground = await startBackground();
  const inside = among && (await listenToSiblings(among, pages.answer));
  // A project's file takes longer than the five minutes that Node gives a request: whoever is too slow, `watchBodies` ends.
  const options = { keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: HEADERS_MS, requestTimeout: 0 };
  // Else every offer of another protocol, as h2c, would count as one of these.
  const server = createServer({ ...options, shouldUpgradeCallback: isForSockets }, listener);
  if (!isWorker) attachSockets(server);
  watchBodies(server);
  server.once('error', (error: NodeJS.ErrnoException) => {
    log.fatal({ err: error, code: error.code, port: PORT }, 'cannot listen');
    process.exit(1);
  });
  server.listen(PORT, () => {
    log.info({ port: PORT }, 'serving');
    process.send?.('ready');
  });
  stopOnSignals(inside ? [server, inside] : [server], stopBackground);
}

async function prepareNext(port: number): Promise<Listener> {
  const { default: next } = await import('next');
  // Next listens for upgrades on the server it is given, or else on ours; Node then leaves every upgrade to it, and it answers none: a
  // client that offers h2c would get nothing at all.
  const app = next({ dev: false, dir: import.meta.dirname, port, httpServer: createServer() });
  await app.prepare();
  const answer = app.getRequestHandler();
  return (incoming, outgoing) => void answer(incoming, outgoing);
}

function stopOnSignals(servers: Server[], stopBackground: () => Promise<void>): void {
  let isStopping = false;
  const stop = ({ idleMs = 0, isReplaced = false } = {}) => {
    if (isStopping) return;
    isStopping = true;
    log.info('stopping');
    endLive();
    const sockets = closeSockets(isReplaced ? 'restart' : 'goingAway');
    Promise.all([...servers.map((server) => drain(server, idleMs)), sockets])
      .then(stopBackground)
      .catch((error) => log.error({ err: error }, 'background parts did not stop'))
      .then(() => process.exit(0));
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop());
  // To the launcher, if there is one, it says something else.
  process.on('SIGHUP', () => cluster.isPrimary && stop());
  // The launcher was killed. A worker of a cluster would end at once.
  cluster.worker?.once('disconnect', () => Object.assign(cluster.worker ?? {}, { exitedAfterDisconnect: true }));
  process.once('disconnect', () => stop());
  process.on('message', (message) => message === RETIRE && stop({ idleMs: LAST_REQUEST_MS, isReplaced: true }));
}

/** No new connections; requests in flight finish; a connection that is kept alive is closed when it is idle, from `idleMs` on. */
function drain(server: Server, idleMs: number): Promise<void> {
  server.prependListener('request', (_, outgoing) => outgoing.setHeader('connection', 'close'));
  const begun = performance.now();
  const sweep = setInterval(() => performance.now() - begun >= idleMs && server.closeIdleConnections(), 50);
  const limit = setTimeout(() => {
    log.warn('requests in flight were cut off');
    server.closeAllConnections();
  }, DRAIN_LIMIT_MS);
  return new Promise((resolve) => {
    // Not the HTTP server's own: it closes what is idle at once, and the request that is on its way there is lost.
    NetServer.prototype.close.call(server, () => {
      clearInterval(sweep);
      clearTimeout(limit);
      resolve();
    });
  });
}
