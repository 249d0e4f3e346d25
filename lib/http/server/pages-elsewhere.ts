import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { log } from '#lib/base/log.ts';
import type { Listener } from './fast-lane.ts';
import { connectTo, PAGES, PAGES_PLACE, type Siblings } from './siblings.ts';

/** Longer than a process takes to be started again. */
const LONGEST_MS = 15_000;
/** RFC 9110 §7.6.1: of one connection only. */
const OF_A_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'proxy-connection']);

/** Has pages answered by the process that has them. */
export function pagesElsewhere(among: Siblings): Listener {
  return (incoming, outgoing) => {
    pass(among, incoming, outgoing).catch((error: unknown) => {
      if (!outgoing.destroyed) log.warn({ err: error }, 'the process that has the pages cannot be reached');
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(503, { 'retry-after': '5' }).end();
    });
  };
}

async function pass(among: Siblings, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const socket = await connectTo(among, PAGES_PLACE, LONGEST_MS);
  const { method, url, rawHeaders } = incoming;
  const asked = request({ createConnection: () => socket, method, path: PAGES + url, headers: lasting(rawHeaders) });
  const answered = new Promise<IncomingMessage>((resolve, reject) =>
    asked.once('response', resolve).once('error', reject),
  );
  outgoing.once('close', () => asked.destroy());
  pipeline(incoming, asked, () => undefined);
  const answer = await answered;
  outgoing.writeHead(answer.statusCode!, answer.statusMessage, lasting(answer.rawHeaders));
  pipeline(answer, outgoing, () => undefined);
}

/** Names and values in turn, without those that end with the connection; this one is for one request. */
function lasting(raw: string[]): string[] {
  const kept = raw.flatMap((name, at) =>
    at % 2 === 0 && !OF_A_CONNECTION.has(name.toLowerCase()) ? [name, raw[at + 1]!] : [],
  );
  return kept;
}
