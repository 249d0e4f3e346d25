import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';

export type OwnServer = {
  base: string;
  start: () => Promise<void>;
  /** Resolves when the process is gone. SIGKILL leaves PostgreSQL running, as a crash would. */
  stop: (signal?: 'SIGTERM' | 'SIGKILL') => Promise<void>;
  /** Stops it for good and drops its data. */
  drop: () => Promise<void>;
};

/** A server of a test's own, with its own port, database and settings; started. The pages must have been built. */
export async function startOwnServer(settings: Record<string, string> = {}): Promise<OwnServer> {
  const [port, dataDir] = [await findFreePort(), mkdtempSync(join(tmpdir(), 'gatehouse-own-'))];
  const base = `http://localhost:${port}`;
  const env = { ...process.env, PORT: String(port), DATA_DIR: dataDir, BASE_URL: base, DATABASE_URL: '', ...settings };
  let child: ChildProcess | undefined;
  const start = async () => {
    child = spawn(process.execPath, ['scripts/launch.mjs', 'start'], { env, stdio: 'ignore' });
    const isUp = () =>
      fetch(`${base}/healthcheck`).then(
        ({ ok }) => ok,
        () => false,
      );
    await expect.poll(isUp, { timeout: 90_000, message: 'the server of this test' }).toBe(true);
  };
  const stop = async (signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM') => {
    const gone = new Promise((resolve) => child?.once('exit', resolve));
    if (child?.exitCode !== null || !child.kill(signal)) return;
    await gone;
  };
  const drop = async () => {
    await stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  await start();
  return { base, start, stop, drop };
}

function findFreePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, () => {
      const address = server.address();
      server.close(() => resolve(address && typeof address === 'object' ? address.port : 0));
    });
  });
}
