import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type DatabaseProxy = {
  /** As the one given, by way of here. */
  url: string;
  close(): Promise<void>;
};

/** Between us and PostgreSQL: what the server says goes through `change` first, packet by packet as they come. */
export async function startDatabaseProxy(url: string, change: (said: Buffer) => Buffer): Promise<DatabaseProxy> {
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
    far.on('data', (said) => near.write(change(said)));
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
