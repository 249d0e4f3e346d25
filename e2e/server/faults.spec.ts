import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runFaults } from '#scripts/faults/run-faults.ts';
import { FAULTS } from '#scripts/faults/strikes.ts';
import { expect, test } from '../fixtures.ts';

// The short form of `npm run test:faults`.
test('nothing acknowledged is lost, doubled or halved when the server and PostgreSQL are killed', async () => {
  test.setTimeout(300_000);
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-e2e-faults-'));
  const short = FAULTS.filter(({ name }) => /of the (server|postmaster)$/.test(name));
  expect(short).toHaveLength(2);
  expect(await runFaults(dataDir, short, () => false)).toEqual([]);
  rmSync(dataDir, { recursive: true, force: true });
});
