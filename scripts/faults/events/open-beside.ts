import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '#lib/infra/net/free-port.ts';
import { asServer } from '../../embedded-postgres/as-server.ts';
import { readPostmaster } from '../../embedded-postgres/postmaster.ts';
import { atEnd } from '../../lifetime.ts';
import { childrenOf, commandOf, type Site } from '../site.ts';

export type Beside = {
  /** The process of it that takes jobs; undefined while it is being started again. */
  worker(): number | undefined;
};

/** A worker (`npm run worker`) on the site's database, as it would run on another machine. */
export async function openBeside({ base, dataDir, logFile }: Site): Promise<Beside> {
  const read = (name: string) => readFileSync(join(dataDir, name), 'utf8').trim();
  const port = readPostmaster(join(dataDir, 'postgres'))?.port;
  const log = openSync(logFile, 'a', 0o600);
  const launcher: ChildProcess = spawn(process.execPath, ['scripts/launch.mjs', 'worker'], {
    env: {
      ...process.env,
      PORT: String(await findFreePort()),
      BASE_URL: base,
      DATA_DIR: dataDir,
      DATABASE_URL: asServer(`postgres://gatehouse@127.0.0.1:${port}/gatehouse`, dataDir),
      AUTH_SECRET: read('auth-secret'),
      SERVER_PROCESSES: '1',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', log, log, 'ipc'],
  });
  const gone = once(launcher, 'exit');
  atEnd(async () => {
    launcher.kill('SIGTERM');
    await gone;
  });
  return {
    worker: () => childrenOf(launcher.pid ?? 0).find((pid) => commandOf(pid).includes('server.ts')),
  };
}
