import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { expect } from '@playwright/test';

/** A server of a spec's own, which it may stop and kill: the real launcher, with a database of its own. */
export type StoppableServer = {
  start(): Promise<void>;
  /** As Ctrl-C does: everything ends in good order. */
  stop(): Promise<void>;
  /** The server's process alone, with -9; the launcher then ends what is left. */
  kill(): Promise<void>;
  /** Stops it and throws its data away. */
  remove(): Promise<void>;
};

export function makeStoppable(
  baseURL: string,
  dataDir: string,
  settings: Record<string, string> = {},
): StoppableServer {
  let launcher: ChildProcess | undefined;
  const end = async (signal: () => void) => {
    if (!launcher || launcher.exitCode !== null) return;
    const gone = once(launcher, 'exit');
    signal();
    await gone;
  };
  const stop = () => end(() => launcher?.kill('SIGTERM'));
  return {
    async start() {
      launcher = spawn(process.execPath, ['scripts/launch.mjs', 'start'], {
        env: {
          ...process.env,
          PORT: new URL(baseURL).port,
          DATA_DIR: dataDir,
          BASE_URL: baseURL,
          DATABASE_URL: '',
          RESEND_API_KEY: '',
          LOG_LEVEL: 'warn',
          ...settings,
        },
        // The channel tells it when the test is killed.
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      });
      const answer = () =>
        fetch(`${baseURL}/healthcheck`).then(
          ({ status }) => status,
          () => 0,
        );
      await expect.poll(answer, { timeout: 90_000, message: `${baseURL} serves` }).toBe(200);
    },
    stop,
    kill: () => end(() => process.kill(findServer(launcher?.pid ?? 0), 'SIGKILL')),
    async remove() {
      await stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The launcher's child that runs server.ts. */
function findServer(launcher: number): number {
  const children = readFileSync(`/proc/${launcher}/task/${launcher}/children`, 'utf8').trim().split(' ').map(Number);
  const server = children.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('server.ts'));
  if (!server) throw new Error('The launcher runs no server');
  return server;
}
