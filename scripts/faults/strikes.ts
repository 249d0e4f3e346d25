import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { childrenOf, commandOf, type Site } from './site.ts';

export type Fault = {
  name: string;
  strike: (site: Site) => Promise<void>;
  needsDisk?: boolean;
};

const AWAY_MS = 5000;

/** Small programs that fail one after the other; `npm start` and the database are to make whole what each leaves. */
export const FAULTS: Fault[] = [
  { name: 'kill -9 of the server', strike: async (site) => kill(site.server()) },
  { name: 'kill -9 of the postmaster', strike: async (site) => kill(site.postmaster()) },
  { name: 'kill -9 of a backend', strike: async (site) => kill(backendsOf(site)[0]) },
  {
    name: 'kill -9 of the bot runner',
    strike: async (site) => kill(childrenOf(site.server() ?? 0).find((pid) => commandOf(pid).includes('runner/main'))),
  },
  {
    name: 'kill -9 of the launcher',
    async strike(site) {
      const [launcher, server] = [site.launcher(), site.server()];
      kill(launcher);
      // The server ends by itself then; its port is free when it has.
      while (server && commandOf(server)) await pause(50);
      site.start();
    },
  },
  {
    name: 'a PostgreSQL that is stopped for a while',
    async strike(site) {
      const all = [site.postmaster() ?? 0, ...childrenOf(site.postmaster() ?? 0)];
      for (const pid of all) kill(pid, 'SIGSTOP');
      await pause(AWAY_MS);
      for (const pid of all) kill(pid, 'SIGCONT');
    },
  },
  {
    name: 'a full disk',
    needsDisk: true,
    async strike({ dataDir }) {
      const file = join(dataDir, 'filler');
      fill(file);
      await pause(AWAY_MS);
      rmSync(file);
    },
  },
];

function backendsOf(site: Site): number[] {
  return childrenOf(site.postmaster() ?? 0).filter((pid) => /gatehouse gatehouse/.test(commandOf(pid)));
}

function kill(pid: number | undefined, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    if (pid) process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}

function fill(file: string): void {
  const file1 = openSync(file, 'w');
  const block = Buffer.alloc(1024 * 1024);
  try {
    for (;;) writeSync(file1, block);
  } catch {
    // No space left on device.
  } finally {
    closeSync(file1);
  }
}
