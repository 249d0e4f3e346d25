import type { IncomingMessage, Server } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { makeGauge } from '#lib/infra/metrics/registry.ts';
import { SOCKET_PATH } from '#lib/protocol/fhir/socket-path.ts';
import { addressOf } from '../server/address-of.ts';
import { CLOSE, serveSocket } from './serve-socket.ts';

/** A token has some 700 bytes. */
const MOST_BYTES = 16 * 1024;
/** Of one process; a hospital comes from one address. */
const MOST_OPEN = 10_000;
const MOST_OF_ADDRESS = 1000;
/** So long whoever is told to go may take to say goodbye. */
const GOODBYE_MS = 1000;

/** Compression would keep a window of memory for each socket. */
const server = new WebSocketServer({ noServer: true, maxPayload: MOST_BYTES, perMessageDeflate: false });
const byAddress = new Map<string, number>();
let isStopping = false;

makeGauge('gatehouse_sockets_open', 'WebSockets of this process.', [], () => [{ value: server.clients.size }]);

/** Whether it asks for the stream of subscriptions: all other offers of another protocol are passed over. */
export function isForSockets({ headers, url = '', method }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && url.split('?', 1)[0] === SOCKET_PATH;
}

/** Takes WebSockets on the port of the API. From any site, as CORS lets it call: what counts is the token, and where its client may be used. */
export function attachSockets(http: Server): void {
  http.on('upgrade', (request, stream, head) => {
    if (isForSockets(request)) accept(request, stream, head);
  });
}

function accept(request: IncomingMessage, stream: Duplex, head: Buffer): void {
  const remoteAddress = addressOf(request);
  const ofAddress = byAddress.get(remoteAddress) ?? 0;
  const isFull = isStopping || server.clients.size >= MOST_OPEN;
  if (isFull || ofAddress >= MOST_OF_ADDRESS) {
    refuse(stream, isFull ? 503 : 429);
    return;
  }
  byAddress.set(remoteAddress, ofAddress + 1);
  stream.once('close', () => leave(remoteAddress));
  const { origin } = request.headers;
  const userAgent = (request.headers['user-agent'] ?? '').slice(0, 256);
  server.handleUpgrade(request, stream, head, (socket) => serveSocket(socket, { remoteAddress, origin, userAgent }));
}

function leave(remoteAddress: string): void {
  const left = (byAddress.get(remoteAddress) ?? 1) - 1;
  if (left > 0) byAddress.set(remoteAddress, left);
  else byAddress.delete(remoteAddress);
}

function refuse(stream: Duplex, status: 429 | 503): void {
  stream.once('error', () => stream.destroy());
  stream.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nRetry-After: 30\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  );
}

/** All are told to come again, elsewhere or to the next process; whoever does not answer is cut off. */
export async function closeSockets(why: 'goingAway' | 'restart'): Promise<void> {
  isStopping = true;
  const open = [...server.clients];
  const closed = open.map((socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())));
  for (const socket of open) socket.close(CLOSE[why], 'The server stops; come again');
  const limit = setTimeout(() => {
    for (const socket of open) socket.terminate();
  }, GOODBYE_MS);
  await Promise.all(closed);
  clearTimeout(limit);
}
