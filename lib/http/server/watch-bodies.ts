import type { IncomingMessage, Server } from 'node:http';

/** Bytes a second that a body must bring: a slow telephone has ten times as much. */
const LEAST_PER_SECOND = 1024;
const EVERY_SECONDS = 10;

/**
 * Ends requests whose body comes too slowly: each holds a connection and what has come of it. Not by the time that one takes in all, for
 * a large one from far away is no fault; nor of one that waits for us. Answers 408 while nothing was answered. What it returns looks at
 * once, as it does by itself every ten seconds.
 */
export function watchBodies(server: Server): () => void {
  // How far each was at the last look; one that came since has a whole turn.
  const seen = new Map<IncomingMessage, number | undefined>();
  server.on('request', (incoming: IncomingMessage) => {
    if (hasBody(incoming)) seen.set(incoming, undefined);
  });
  const watch = setInterval(look, EVERY_SECONDS * 1000);
  watch.unref();
  server.once('close', () => clearInterval(watch));
  return look;

  function look(): void {
    for (const [incoming, before] of seen) {
      const { socket, complete, readableLength } = incoming;
      const now = socket.bytesRead;
      if (complete || socket.destroyed) seen.delete(incoming);
      else if (before === undefined || now - before >= LEAST_PER_SECOND * EVERY_SECONDS || readableLength > 0) {
        seen.set(incoming, now);
      } else end(incoming);
    }
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

const TIMEOUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

function end({ socket }: IncomingMessage): void {
  if (socket.bytesWritten === 0) socket.end(TIMEOUT);
  socket.destroySoon();
}
