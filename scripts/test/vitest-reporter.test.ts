import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import RingReporter from './vitest-reporter.ts';

afterEach(() => vi.unstubAllEnvs());

test('an error outside of any test is told with its file and its stack, as one that failed', () => {
  const report = join(mkdtempSync(join(tmpdir(), 'gatehouse-rings-')), 'rings.json');
  vi.stubEnv('VITEST_RINGS', report);
  new RingReporter().onTestRunEnd(
    [],
    [
      { message: 'read ECONNRESET', stack: 'Error: read ECONNRESET\n    at TCP.onStreamRead' },
      { message: 'gone', VITEST_TEST_PATH: resolve('lib/a.test.ts'), VITEST_TEST_NAME: 'a name' },
    ],
  );
  const [ring] = JSON.parse(readFileSync(report, 'utf8'));
  expect(ring.tests.map(({ name, outcome }: { name: string; outcome: string }) => [name, outcome])).toEqual([
    ['outside of any test: Error: read ECONNRESET\n    at TCP.onStreamRead', 'failed'],
    ['lib/a.test.ts › a name: gone', 'failed'],
  ]);
});
