import type { IncomingMessage, Server } from 'node:http';
import { pace } from '#lib/base/pace.ts';

/** Bytes a second that a body must bring: a slow telephone has ten times as much. */
const LEAST_PER_SECOND = 1024;

/**
 * Ends requests whose body comes too slowly: each holds a connection and what has come of it. Not by the time that one takes in all, for
 * a large one from far away is no fault; nor of one that waits for us. Answers 408 while nothing was answered.
 */
export function watchBodies(server: Server): void {
  const seen = new Map<IncomingMessage, number>();
  server.on('request', (incoming: IncomingMessage) => {
    if (hasBody(incoming)) seen.set(incoming, incoming.socket.bytesRead);
  });
  const watch = setInterval(() => {
    for (const [incoming, before] of seen) {
      const { socket, complete } = incoming;
      const now = socket.bytesRead;
      if (complete || socket.destroyed) seen.delete(incoming);
      else if (now - before < (LEAST_PER_SECOND * pace.bodyWatchMs) / 1000 && incoming.readableLength === 0)
        end(incoming);
      else seen.set(incoming, now);
    }
  }, pace.bodyWatchMs);
  watch.unref();
  server.once('close', () => clearInterval(watch));
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

const TIMEOUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

function end({ socket }: IncomingMessage): void {
  if (socket.bytesWritten === 0) socket.end(TIMEOUT);
  socket.destroySoon();
}
