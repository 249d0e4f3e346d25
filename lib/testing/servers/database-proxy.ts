import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type DatabaseProxy = {
  /** As the one given, by way of here. */
  url: string;
  close(): Promise<void>;
};

/**
 * Between us and PostgreSQL, without TLS: what the server says goes through `change` first, message by message, its type and length included,
 * and arrives `lateMs` later.
 */
export async function startDatabaseProxy(
  url: string,
  change: (message: Buffer) => Buffer,
  lateMs = 0,
): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => other.destroy());
    }
    near.on('data', (asked) => far.write(asked));
    const changed = inMessages(change);
    const give = (said: Buffer) => void near.write(changed(said));
    far.on('data', (said) => (lateMs > 0 ? setTimeout(give, lateMs, said) : give(said)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const near = Object.assign(new URL(url), { port: String((server.address() as AddressInfo).port) });
  return {
    url: near.href,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A type and a length that counts itself, then the content (PostgreSQL, "Message Formats"); a packet may end anywhere. */
function inMessages(change: (message: Buffer) => Buffer): (said: Buffer) => Buffer {
  let rest = Buffer.alloc(0);
  return (said) => {
    rest = Buffer.concat([rest, said]);
    const out: Buffer[] = [];
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const end = 1 + rest.readInt32BE(1);
      out.push(change(rest.subarray(0, end)));
      rest = rest.subarray(end);
    }
    return Buffer.concat(out);
  };
}
