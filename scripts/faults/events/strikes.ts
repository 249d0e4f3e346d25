import { childrenOf, commandOf, type Site } from '../site.ts';
import type { Beside } from './open-beside.ts';

export type EventStrike = { name: string; strike: (site: Site, beside: Beside) => Promise<void> };

/** Whatever may have an event in its hands. */
export const STRIKES: EventStrike[] = [
  { name: 'kill -9 of every process that runs bots', strike: async (site, beside) => all(runnersOf(site, beside)) },
  { name: 'kill -9 of one server process', strike: async (site) => all(serversOf(site).slice(0, 1)) },
  { name: 'kill -9 of the worker', strike: async (_, beside) => all([beside.worker() ?? 0]) },
  { name: 'kill -9 of PostgreSQL', strike: async (site) => all([site.postmaster() ?? 0]) },
  { name: 'kill -9 of both server processes', strike: async (site) => all(serversOf(site)) },
  {
    name: 'kill -9 of a backend of PostgreSQL, which starts anew',
    strike: async (site) =>
      all(
        childrenOf(site.postmaster() ?? 0)
          .filter(isBackend)
          .slice(0, 1),
      ),
  },
];

function serversOf(site: Site): number[] {
  return childrenOf(site.launcher()).filter((pid) => commandOf(pid).includes('server.ts'));
}

function runnersOf(site: Site, beside: Beside): number[] {
  const parents = [...serversOf(site), beside.worker() ?? 0];
  return parents.flatMap(childrenOf).filter((pid) => commandOf(pid).includes('runner/main'));
}

function isBackend(pid: number): boolean {
  return /gatehouse gatehouse/.test(commandOf(pid));
}

async function all(pids: readonly number[]): Promise<void> {
  for (const pid of pids.filter((pid) => pid > 0)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}
