import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import postgres from 'postgres';
import { findFreePort } from '#lib/infra/net/free-port.ts';
import { readPostmaster } from '../embedded-postgres/postmaster.ts';
import { atEnd } from '../lifetime.ts';

/** The product as `npm start` runs it, on a database of its own. */
export type Site = {
  base: string;
  dataDir: string;
  logFile: string;
  launcher(): number;
  server(): number | undefined;
  postmaster(): number | undefined;
  /** As systemd does, when the launcher is gone. */
  start(): void;
  /** Resolves when it serves; rejects when it does not for too long. */
  serves(): Promise<void>;
  sql(): postgres.Sql;
  stop(): Promise<void>;
};

const LONGEST_MS = 180_000;

/** `root`: of another version than this one. */
export async function openSite(dataDir: string, settings: Record<string, string>, root = '.'): Promise<Site> {
  const port = await findFreePort();
  const base = `http://localhost:${port}`;
  // Not on its own disk, which may be full.
  const logFile = join(dataDir, '..', `${basename(dataDir)}.log`);
  const log = openSync(logFile, 'a', 0o600);
  console.log(`Its log: ${logFile}`);
  const env = {
    ...process.env,
    PORT: String(port),
    BASE_URL: base,
    DATA_DIR: dataDir,
    DATABASE_URL: '',
    AUTH_SECRET: '',
  };
  let launcher: ChildProcess;
  const site: Site = {
    base,
    dataDir,
    logFile,
    launcher: () => launcher.pid ?? 0,
    server: () => childrenOf(launcher.pid ?? 0).find((pid) => commandOf(pid).includes('server.ts')),
    postmaster: () => readPostmaster(join(dataDir, 'postgres'))?.pid,
    start() {
      launcher = spawn(process.execPath, ['scripts/launch.mjs', 'start'], {
        cwd: root,
        env: { ...env, LOG_LEVEL: 'warn', ...settings },
        stdio: ['ignore', log, log, 'ipc'],
      });
    },
    async serves() {
      const deadline = performance.now() + LONGEST_MS;
      while (!(await isWell(base))) {
        if (performance.now() > deadline) throw new Error(`${base} does not serve again`);
        await pause(100);
      }
    },
    sql() {
      const at = readPostmaster(join(dataDir, 'postgres'))?.port;
      const password = readFileSync(join(dataDir, 'postgres-password'), 'utf8').trim();
      return postgres(`postgres://gatehouse:${password}@127.0.0.1:${at}/gatehouse`, {
        max: 1,
        onnotice: () => undefined,
      });
    },
    async stop() {
      if (launcher.exitCode !== null || launcher.signalCode !== null) return;
      launcher.kill('SIGTERM');
      await once(launcher, 'exit');
    },
  };
  site.start();
  atEnd(site.stop);
  return site;
}

export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

async function isWell(base: string): Promise<boolean> {
  try {
    return (await fetch(`${base}/healthcheck`, { signal: AbortSignal.timeout(5000) })).ok;
  } catch {
    return false;
  }
}
