import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const { CI, SOAK } = process.env;

// Node runs the sources as they are, so the tests load them as the server does: no second module system between.
// The limits are for tests that hang: a busy machine takes its time.
const native = {
  experimental: { viteModuleRunner: false, nodeLoader: false },
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 20_000 } },
  // Only where nobody knows how busy the machine is; the report then names the test as flaky.
  retry: CI && !SOAK ? 1 : 0,
  // What V8 makes of the sources is kept for the next process, and for those that tests start.
  env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled-for-tests') },
} as const;
// One process, one module graph and one database for many files, one after another: a test meets no rows but its own.
const shared = { ...native, isolate: false };
const database = { globalSetup: './lib/testing/set-up/global-setup.ts', setupFiles: './lib/testing/set-up/setup.ts' };
/** What starts background work, or a server: a process and a database of its own. */
const ALONE = '{app,lib}/**/*.alone.test.ts';

export default defineConfig({
  test: {
    // By default Vitest leaves one core idle. PostgreSQL and the runners of bots work while a test waits for them.
    maxWorkers: Math.max(2, availableParallelism()),
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: [
            '{lib/{base,protocol,client},components}/**/*.test.ts',
            'lib/http/server/route-tree.test.ts',
            'scripts/**/*.test.ts',
          ],
        },
      },
      {
        test: {
          ...shared,
          ...database,
          name: 'verb',
          include: ['lib/{domain,infra,http}/**/*.test.ts'],
          exclude: ['lib/http/server/route-tree.test.ts', ALONE],
        },
      },
      {
        test: {
          ...shared,
          ...database,
          name: 'contract',
          include: ['{app,lib/testing}/**/*.test.ts'],
          exclude: [ALONE],
        },
      },
      { test: { ...native, ...database, name: 'alone', include: [ALONE] } },
    ],
  },
});
