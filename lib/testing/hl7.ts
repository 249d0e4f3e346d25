import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { isFreePort } from '#lib/infra/net/free-port.ts';
import { createFrameReader, toFrame } from '#lib/protocol/hl7/mllp/frame-reader.ts';

/** Where tests let feeds be. */
export const FEED_PORTS = { from: 30_000, to: 30_999 };

const given = new Set<number>();

/** A port of these that nothing listens at, each once. */
export async function freeFeedPort(): Promise<number> {
  for (;;) {
    const port = randomInt(FEED_PORTS.from, FEED_PORTS.to);
    if (given.has(port) || !(await isFreePort(port))) continue;
    given.add(port);
    return port;
  }
}

/** A system that sends HL7 v2 over MLLP. */
export type Hl7Sender = {
  socket: Socket;
  /** One message, and the first thing that comes back; rejects when the connection ends before. */
  send(message: string): Promise<string>;
  /** The next thing that comes. */
  next(): Promise<string>;
  /** Resolves when the other side has closed. */
  closed: Promise<unknown>;
};

export async function openSender(port: number, tls?: ConnectionOptions): Promise<Hl7Sender> {
  const to = { host: '127.0.0.1', port };
  const socket = tls ? connectTls({ ...to, rejectUnauthorized: false, ...tls }) : connect(to);
  const reader = createFrameReader(64 * 1024 * 1024);
  const come: string[] = [];
  const waiting: { resolve(text: string): void; reject(error: Error): void }[] = [];
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    for (const { bytes } of reader.push(chunk as Buffer)) {
      const text = new TextDecoder().decode(bytes);
      const waiter = waiting.shift();
      if (waiter) waiter.resolve(text);
      else come.push(text);
    }
  });
  void closed.then(() => {
    for (const { reject } of waiting.splice(0)) reject(new Error('The connection ended'));
  });
  await once(socket, tls ? 'secureConnect' : 'connect');
  const next = () => {
    const known = come.shift();
    if (known !== undefined) return Promise.resolve(known);
    if (socket.destroyed) return Promise.reject(new Error('The connection ended'));
    return new Promise<string>((resolve, reject) => waiting.push({ resolve, reject }));
  };
  const send = (message: string) => {
    socket.write(toFrame(new TextEncoder().encode(message)));
    return next();
  };
  return { socket, send, next, closed };
}

/** An admission, with this control ID and whatever else its header says from MSH-12 on. */
export function admission(controlId: string, { patient = 'P1', rest = '2.5.1' } = {}): string {
  const header = `MSH|^~\\&|ADT|GHH|EHR|GHH|20260101120000||ADT^A01^ADT_A01|${controlId}|P|${rest}`;
  return [header, 'EVN|A01|20260101120000', `PID|1||${patient}^^^GHH^MR||EVERYMAN^ADAM||19610615|M`, ''].join('\r');
}

/** MSA-1 and MSA-2. */
export function ackOf(answer: string): [string | undefined, string | undefined] {
  const [, code, controlId] =
    answer
      .split('\r')
      .find((line) => line.startsWith('MSA|'))
      ?.split('|') ?? [];
  return [code, controlId];
}
