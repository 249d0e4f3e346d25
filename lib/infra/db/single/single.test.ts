import { once } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { lose, watchSockets } from '#lib/testing/servers/sockets.ts';
import { isConnectionLoss } from '../errors.ts';
import { closeLeases, tryLease } from './leases.ts';

afterEach(() => vi.restoreAllMocks());

test('what is asked of a single connection as it ends is told so, and what comes then is answered', async () => {
  await closeLeases();
  const connected = watchSockets();
  const ask = (name: string) =>
    tryLease(`gatehouse single ${name}`, 1).then(
      (lease) => (lease ? 'held' : 'taken'),
      (error) => (isConnectionLoss(error) ? 'lost' : String(error)),
    );
  const told = (asked: Promise<string>) =>
    Promise.race([asked, new Promise<string>((later) => setTimeout(later, 30_000, 'never').unref())]);
  expect(await ask('first')).toBe('held');
  // Its text is known by now: nothing else waits for what it needs.
  expect(await ask('second')).toBe('held');
  const [socket] = connected;
  const lost = once(socket!, 'error');
  lose(socket!);
  await lost;
  const asked = ['third', 'fourth'].map(ask);
  expect(['lost', 'held', 'taken']).toContain(await told(asked[0]!));
  expect(['lost', 'held', 'taken']).toContain(await told(asked[1]!));
  expect(await told(ask('fifth'))).toBe('held');
  await closeLeases();
});
