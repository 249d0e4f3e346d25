import { readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export type Postmaster = { pid: number; port: number; ready: boolean };

const FAST_LIMIT_MS = 30_000;

/** The postmaster that runs on a data directory, by its `postmaster.pid`. A file that a dead one left is removed when its process id now belongs to something else. */
export function readPostmaster(home: string): Postmaster | undefined {
  const file = join(home, 'postmaster.pid');
  const lines = readLines(file);
  const pid = Number.parseInt(lines[0] ?? '', 10);
  if (!(pid > 0) || !isAlive(pid)) return undefined;
  if (!worksIn(pid, home)) {
    // PostgreSQL itself would refuse to start: to it, any living process with that id could be a postmaster.
    rmSync(file, { force: true });
    return undefined;
  }
  return { pid, port: Number.parseInt(lines[3] ?? '', 10), ready: lines[7]?.trim() === 'ready' };
}

/** Fast shutdown; immediate when that takes too long (the next start then recovers from the log, nothing is lost). */
export async function endPostmaster(pid: number): Promise<void> {
  signal(pid, 'SIGINT');
  const deadline = Date.now() + FAST_LIMIT_MS;
  while (isAlive(pid)) {
    if (Date.now() > deadline) return signal(pid, 'SIGQUIT');
    await pause(20);
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** In a container without an init nobody buries the dead. */
function isZombie(pid: number): boolean {
  if (platform() !== 'linux') return false;
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** A postmaster's working directory is its data directory. Where that cannot be read, the file is believed. */
function worksIn(pid: number, home: string): boolean {
  if (platform() !== 'linux') return true;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(home);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES';
  }
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended by itself.
  }
}
