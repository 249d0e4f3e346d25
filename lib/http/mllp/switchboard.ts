import type { Socket } from 'node:net';
import { env } from '#lib/base/env.ts';
import { log } from '#lib/base/log.ts';
import type { Heard, Listened } from '#lib/domain/hl7-feeds/listened.ts';
import type { MessageRunner } from '#lib/domain/hl7-feeds/run-messages.ts';
import { createLine, type Line, noteFault } from './line.ts';
import { openPort, type Port } from './open-port.ts';
import { serveConnection } from './serve-connection.ts';
import { readTlsFiles, type TlsFiles } from './tls-files.ts';

/** `connect` listens for these and no others; `hear` tells how they do since it was asked last; `close` ends all, after what is being answered. */
export type Switchboard = {
  connect(feeds: readonly Listened[]): Promise<void>;
  hear(feeds: readonly Listened[], all: boolean): Heard[];
  close(): Promise<void>;
};

const CLOSE_MS = 4000;
/** Of one project on the port that projects share, whatever feeds they are of. */
const MOST_OF_PROJECT = 100;

/** Which feed a connection is of: by its port, or on the port that they share, by the certificate that it shows. */
export function createSwitchboard(runner: MessageRunner): Switchboard {
  const lines = new Map<string, Line>();
  const ports = new Map<number, { port: Port; isTls: boolean }>();
  let files: TlsFiles | undefined;

  async function connect(feeds: readonly Listened[]): Promise<void> {
    await readFiles();
    const wanted = new Set(feeds.map(({ id }) => id));
    for (const [id, line] of lines) if (!wanted.has(id)) drop(id, line);
    for (const feed of feeds) {
      const line = lines.get(feed.id);
      if (line && toKey(line.feed) !== toKey(feed)) drop(feed.id, line);
      const kept = lines.get(feed.id);
      if (kept) kept.feed = feed;
      else lines.set(feed.id, createLine(feed));
    }
    const open = new Map(feeds.map((feed) => [portOf(feed), feed.tls] as const));
    const faults = new Map<number, string | undefined>();
    for (const [number, { port, isTls }] of ports) {
      if (open.get(number) === isTls && !port.hasFailed) continue;
      faults.set(number, port.fault);
      port.close();
      ports.delete(number);
    }
    for (const [number, isTls] of open) {
      if (number === undefined || ports.has(number) || (isTls && !files)) continue;
      const serve = (socket: Socket, certificate: string | undefined) => answerCall(number, socket, certificate);
      const onFull = () => {
        for (const line of lines.values())
          if (portOf(line.feed) === number) noteFault(line, 'Too many connections to the port: one was sent away');
      };
      const isShared = number === env().MLLP_TLS_PORT;
      const callers = { serve, isShared, onFull, faultBefore: faults.get(number) };
      ports.set(number, { port: openPort(number, isTls ? files : undefined, callers), isTls });
    }
  }

  async function readFiles(): Promise<void> {
    const before = files;
    try {
      files = await readTlsFiles(before);
      if (files && before && files !== before) for (const { port } of ports.values()) port.renew(files);
    } catch (err) {
      // Those that are listened for go on with what they have.
      log.warn({ err }, 'MLLP_TLS_CERT and MLLP_TLS_KEY cannot be read');
    }
  }

  function answerCall(number: number, socket: Socket, certificate: string | undefined): void {
    const line = [...lines.values()].find(
      ({ feed }) => portOf(feed) === number && (feed.port !== null || feed.certificate === certificate),
    );
    if (line && line.feed.port === null && callersOf(line.feed) >= MOST_OF_PROJECT)
      noteFault(line, `More than ${MOST_OF_PROJECT} connections of this project to the port that projects share`);
    else if (line && (line.feed.certificate === null || line.feed.certificate === certificate)) {
      serveConnection(socket, line, runner);
      return;
    } else if (line) noteFault(line, 'Somebody called without the certificate of the feed');
    socket.on('error', () => undefined);
    socket.destroy();
  }

  /** All that its project has on the port that projects share. */
  function callersOf({ projectId }: Listened): number {
    return [...lines.values()].reduce(
      (sum, { feed, connections }) => sum + (feed.projectId === projectId && feed.port === null ? connections.size : 0),
      0,
    );
  }

  function hear(feeds: readonly Listened[], all: boolean): Heard[] {
    return feeds.flatMap((feed) => {
      const line = lines.get(feed.id);
      const port = ports.get(portOf(feed) ?? 0)?.port;
      const fault = line && (port ? port.fault : 'The server has no port or no certificate for it');
      const isListening = line !== undefined && port?.isListening === true;
      const { received, repeated, refused, fault: told } = line?.told ?? { received: 0, repeated: 0, refused: 0 };
      const connections = line?.connections.size ?? 0;
      const stands = `${connections} ${isListening} ${fault}`;
      if (!all && received + repeated + refused === 0 && told === undefined && line?.stood === stands) return [];
      if (line) Object.assign(line, { told: { received: 0, repeated: 0, refused: 0 }, stood: stands });
      const heard = { id: feed.id, isListening, connections, received, repeated, refused };
      return [{ ...heard, ...((fault ?? told) !== undefined && { fault: fault ?? told }) }];
    });
  }

  async function close(): Promise<void> {
    for (const { port } of ports.values()) port.close();
    ports.clear();
    const begun = performance.now();
    for (const { connections } of lines.values()) for (const end of connections) end();
    while ([...lines.values()].some(({ connections }) => connections.size > 0) && performance.now() - begun < CLOSE_MS)
      await new Promise((resolve) => setTimeout(resolve, 20));
    lines.clear();
  }

  function drop(id: string, { connections }: Line): void {
    lines.delete(id);
    for (const end of connections) end();
  }

  return { connect, hear, close };
}

function portOf({ port }: Listened): number | undefined {
  return port ?? env().MLLP_TLS_PORT;
}

/** What a connection stands on: with another, it has to begin anew. */
function toKey({ wokenAt: _, ...feed }: Listened): string {
  return JSON.stringify(feed);
}
