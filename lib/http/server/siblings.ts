import { rename } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readOwnMetrics, watchProcess } from '#lib/infra/metrics/registry.ts';
import type { Listener } from './fast-lane.ts';

/** The server processes that one launcher keeps on one port, and which of them this is. */
export type Siblings = { place: number; places: number; folder: string };

/** Pages come from the process in this place: Next takes as much memory as all the rest. */
export const PAGES_PLACE = 1;
/** What one process asks another. A page's own target stands behind the first, so that no caller can ask for the second. */
export const PAGES = '/pages';
export const OWN_METRICS = '/own-metrics';

const AGAIN_MS = 50;

/** Undefined where there is only one process. */
export function siblings(): Siblings | undefined {
  const { GATEHOUSE_PROCESS, GATEHOUSE_SOCKETS, SERVER_PROCESSES } = process.env;
  const places = Number(SERVER_PROCESSES ?? 1);
  if (!GATEHOUSE_PROCESS || !GATEHOUSE_SOCKETS || places < 2) return undefined;
  return { place: Number(GATEHOUSE_PROCESS), places, folder: GATEHOUSE_SOCKETS };
}

/** Answers what the other processes ask of this one, in a folder that only its user can enter: what they say of a caller is believed. */
export async function listenToSiblings({ place, folder }: Siblings, pages: Listener): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    if (incoming.url !== OWN_METRICS) {
      incoming.url = incoming.url?.slice(PAGES.length);
      return pages(incoming, outgoing);
    }
    watchProcess();
    readOwnMetrics().then(
      (metrics) => outgoing.end(JSON.stringify(metrics)),
      () => outgoing.writeHead(500).end(),
    );
  });
  const own = join(folder, `${place}-${process.pid}`);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path: own, exclusive: true }, resolve);
  });
  // In the stead of the one that it replaces, which serves on what it has been asked already.
  await rename(own, join(folder, String(place)));
  return server;
}

/** A connection to the process in that place; one that is being started again is waited for, up to `limitMs`. */
export async function connectTo({ folder }: Siblings, place: number, limitMs: number): Promise<Socket> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const socket = connect(join(folder, String(place)));
    try {
      await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
      return socket;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await pause(AGAIN_MS);
    }
  }
}

/** What the process in that place answers to a GET. */
export async function askSibling(among: Siblings, place: number, path: string, signal: AbortSignal): Promise<string> {
  const socket = await connectTo(among, place, 0);
  const asked = request({ createConnection: () => socket, path, signal, headers: { connection: 'close' } }).end();
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    asked.once('response', resolve).once('error', reject),
  );
  const text = Buffer.concat(await answer.toArray({ signal })).toString();
  if (answer.statusCode !== 200) throw new Error(`Process ${place} answered ${answer.statusCode} to ${path}`);
  return text;
}
