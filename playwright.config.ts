import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { findFreePort } from '#lib/infra/net/free-port.ts';

// Workers load this file again and inherit what the first one chose.
// The next four are for specs that start a server of their own, and two for HL7 v2.
process.env.E2E_PORT ??= String(await findFreePort(7));
process.env.E2E_DATA_DIR ??= join(tmpdir(), `gatehouse-e2e-${process.pid}`);
const { E2E_PORT, E2E_DATA_DIR, CHROMIUM_PATH } = process.env;
const baseURL = `http://localhost:${E2E_PORT}`;

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  forbidOnly: Boolean(process.env.CI),
  fullyParallel: true,
  workers: 2,
  // Two cores share the server, PostgreSQL and two browsers.
  timeout: 120_000,
  expect: { timeout: 10_000 },
  // A machine whose speed nobody knows: what fails must fail twice, and what failed once is listed as flaky.
  retries: process.env.CI && !process.env.SOAK ? 1 : 0,
  use: {
    baseURL,
    viewport: { width: 1280, height: 800 },
    // Recorded when a test is tried again: kept of tests that pass, traces cost a quarter of the run.
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    // Nobody waits for an animation, but in the specs about movement.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: CHROMIUM_PATH ?? '/usr/bin/chromium',
      // Nothing but the pages under test: a browser that calls home waits for a network that may be closed.
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  webServer: {
    // The real launcher and production server, with a database of its own and the development mailbox. Empty means "not set": no .env of the clone applies.
    command: 'node scripts/launch.mjs start',
    url: `${baseURL}/healthcheck`,
    timeout: 180_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
    stdout: process.env.E2E_LOG ? 'pipe' : 'ignore',
    env: {
      PORT: E2E_PORT,
      DATA_DIR: E2E_DATA_DIR,
      BASE_URL: baseURL,
      DATABASE_URL: '',
      RESEND_API_KEY: '',
      // The identity provider of external.spec.ts is on this machine.
      FETCH_PRIVATE_ADDRESSES: 'true',
      // And the DNS of mail-domains.spec.ts: what listens there speaks UDP, and the server TCP.
      DNS_SERVERS: `127.0.0.1:${E2E_PORT}`,
      MLLP_PORTS: `${Number(E2E_PORT) + 5}-${Number(E2E_PORT) + 6}`,
      LOG_LEVEL: 'warn',
    },
  },
});
