import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { startCluster } from './cluster.ts';
import { isAlive } from './postmaster.ts';

test('one that was killed is started again where it was', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-killed-'));
  const options = { dataDir, durable: false };
  const first = await startCluster(options);
  process.kill(first.pid, 'SIGKILL');
  await vi.waitUntil(() => !isAlive(first.pid), { timeout: 20_000 });
  expect(await first.release()).toBe(false);
  const second = await startCluster({ ...options, port: Number(new URL(first.url).port) });
  expect([second.url, second.how]).toEqual([first.url, 'started']);
  expect(await second.release()).toBe(true);
  rmSync(dataDir, { recursive: true, force: true });
});
