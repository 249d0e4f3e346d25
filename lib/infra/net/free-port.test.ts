import { createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { findFreePort } from './free-port.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

test('neighbouring ports can all be listened at, and no outgoing connection is given one of them', async () => {
  const first = await findFreePort(4);
  for (const port of [first, first + 1, first + 2, first + 3]) {
    expect(port).toBeLessThan(32_768);
    await new Promise<void>((resolve, reject) => {
      servers.push(createServer().once('error', reject).listen(port, resolve));
    });
  }
});
