import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import postgres from 'postgres';
import { expect, test } from 'vitest';
import { lose } from '#lib/testing/servers/sockets.ts';
import { databaseAddress, forPostgres } from '../address.ts';
import { mendConnections } from './mended-connections.ts';

test('where the first mending lost its connection, the second hears of what ends, too', async () => {
  const { host, port, path, ...rest } = forPostgres(databaseAddress());
  let socket: Socket | undefined;
  const opened = async () => {
    socket = path ? connect(path) : connect(Number(port), String(host));
    await once(socket, 'connect');
    return socket;
  };
  const options = { ...rest, max: 1, fetch_types: false, backoff: () => 0.01, socket: opened };
  const client = postgres(options as object);
  await client.unsafe('select 1');
  const { write } = socket!;
  socket!.write = function (this: Socket, ...given: unknown[]) {
    this.resetAndDestroy();
    return write.apply(this, given as never);
  } as never;
  let broken = 0;
  const mend = () => mendConnections(client, () => broken++);
  await expect(mend()).rejects.toMatchObject({ code: expect.stringMatching(/^CONN|^ECONN|^EPIPE|^ERR_STREAM/) });
  await mend();
  const lost = once(socket!, 'error');
  lose(socket!);
  await lost;
  const asked = [1, 2].map((n) => client.unsafe('select $1::int', [n]).then(String, (error) => error.code));
  expect(await Promise.race([asked[0], new Promise((later) => setTimeout(later, 30_000, 'never').unref())])).toBe(
    'CONNECTION_CLOSED',
  );
  expect(broken).toBe(1);
  await client.end({ timeout: 0 });
});
