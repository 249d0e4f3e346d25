import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import type { Owner } from './owner.ts';
import { reach } from './reach.ts';

/** Made under another name first: a cluster that initdb did not finish is never taken for a whole one. */
export function initialise(
  home: string,
  binaries: Binaries,
  owner: Owner | undefined,
  password: string,
  durable: boolean,
): void {
  const half = `${home}.new`;
  rmSync(half, { recursive: true, force: true });
  mkdirSync(half, { mode: 0o700 });
  const secret = mkdtempSync(join(tmpdir(), 'gatehouse-initdb-'));
  const passwordFile = join(secret, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (owner) for (const path of [half, secret, passwordFile]) chownSync(path, owner.uid, owner.gid);
  const flags = [
    '--username=gatehouse',
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--no-locale',
  ];
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--text-search-config=simple'];
  const sync = durable ? [] : ['--no-sync'];
  const made = spawnSync(binaries.initdb, [`--pgdata=${reach(half, owner)}`, ...flags, ...locale, ...sync], {
    ...owner,
    cwd: half,
    encoding: 'utf8',
  });
  rmSync(secret, { recursive: true, force: true });
  if (made.status !== 0)
    throw new Error(`PostgreSQL could not make its data directory: ${made.stderr?.trim() || made.error?.message}`);
  rmSync(home, { recursive: true, force: true });
  renameSync(half, home);
}
