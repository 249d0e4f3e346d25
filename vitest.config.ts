import { defineConfig } from 'vitest/config';

// Node runs the sources as they are, so the tests load them as the server does: no second module system between.
// The limit is for tests that hang; property tests take their time on a busy machine.
const native = { experimental: { viteModuleRunner: false, nodeLoader: false }, testTimeout: 30_000 } as const;
const database = { ...native, globalSetup: './lib/testing/global-setup.ts', setupFiles: './lib/testing/setup.ts' };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...native,
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
          ...database,
          name: 'verb',
          include: ['lib/{domain,infra,http}/**/*.test.ts'],
          exclude: ['lib/http/server/route-tree.test.ts'],
        },
      },
      { test: { ...database, name: 'contract', include: ['{app,lib/testing}/**/*.test.ts'] } },
    ],
  },
});
