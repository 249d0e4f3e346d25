import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, readPostmaster } from '#scripts/embedded-postgres/postmaster.ts';
import { childrenOf, commandOf } from '#scripts/faults/site.ts';
import { expect, test } from './fixtures.ts';

export type OwnServer = {
  start(): Promise<void>;
  /** As Ctrl-C does: everything ends in good order. */
  stop(): Promise<void>;
  /** The server's process alone, with -9: the launcher starts it again. */
  kill(): Promise<void>;
  /** Those that run server.ts. */
  processes(): number[];
  /** Has the launcher replace them. */
  reload(): void;
  /** PostgreSQL's, so too. */
  killPostgres(): Promise<void>;
  /** Resolves when it does. */
  serves(): Promise<void>;
};

/**
 * For the head of a spec whose tests stop or set up the server as they like: they run one after the other against a server of the
 * spec's own, the real launcher with a database of its own. `offset`: from the port of the shared server, another for every spec.
 */
export function withOwnServer(offset: number, settings: Record<string, string> = {}): OwnServer {
  const baseURL = `http://localhost:${Number(process.env.E2E_PORT) + offset}`;
  const dataDir = `${process.env.E2E_DATA_DIR}-${offset}`;
  const server = makeServer(baseURL, dataDir, settings);
  test.describe.configure({ mode: 'default' });
  test.use({ baseURL });
  test.beforeAll(async () => {
    test.setTimeout(240_000);
    await server.start();
  });
  test.afterAll(async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return server;
}

function makeServer(baseURL: string, dataDir: string, settings: Record<string, string>): OwnServer {
  let launcher: ChildProcess | undefined;
  const end = async (signal: () => void) => {
    if (!launcher || launcher.exitCode !== null) return;
    const gone = once(launcher, 'exit');
    signal();
    await gone;
  };
  const answers = async () => expect((await fetch(`${baseURL}/healthcheck`)).status).toBe(200);
  const serves = () => expect(answers).toPass({ timeout: 180_000 });
  return {
    async start() {
      launcher = spawn(process.execPath, ['scripts/launch.mjs', 'start'], {
        env: {
          ...process.env,
          PORT: new URL(baseURL).port,
          DATA_DIR: dataDir,
          BASE_URL: baseURL,
          // Of its own, not those of the shared server (server-database.ts).
          DATABASE_URL: '',
          AUTH_SECRET: '',
          RESEND_API_KEY: '',
          LOG_LEVEL: 'warn',
          ...settings,
        },
        // The channel tells it when the test is killed.
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      });
      let said = '';
      for (const stream of [launcher.stdout, launcher.stderr]) stream?.on('data', (text) => (said += text));
      const ended = once(launcher, 'exit').then(([code]) => Promise.reject(new Error(`exit ${code}`)));
      await Promise.race([ended, serves()]).catch((error) => {
        throw new Error(`${baseURL} does not serve: ${error.message}\n${said}`);
      });
      ended.catch(() => undefined);
    },
    stop: () => end(() => launcher?.kill('SIGTERM')),
    kill: () => killHard(findServers(launcher?.pid)[0] ?? 0),
    processes: () => findServers(launcher?.pid),
    reload: () => void launcher?.kill('SIGHUP'),
    killPostgres: () => killHard(readPostmaster(join(dataDir, 'postgres'))?.pid ?? 0),
    serves,
  };
}

async function killHard(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => isAlive(pid)).toBe(false);
}

/** The launcher's children that run server.ts. */
function findServers(launcher = 0): number[] {
  return childrenOf(launcher).filter((pid) => commandOf(pid).includes('server.ts'));
}
