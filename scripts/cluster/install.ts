import { existsSync, globSync, readFileSync } from 'node:fs';
import { refuse } from '../progress.mjs';
import { runCommand } from '../run-command.ts';

/** Where Debian 12 puts the programs of its PostgreSQL. */
export const POSTGRES = '/usr/lib/postgresql/15';
/** Citus is no package of Debian's; this is the extension as files of its PostgreSQL 15, built from its sources. */
const ARCHIVE = '../shared/citus/citus-*-postgresql15-debian12-amd64.tar.xz';

const PACKAGES: Record<string, string> = {
  'postgresql-15': `${POSTGRES}/bin/postgres`,
  haproxy: '/usr/sbin/haproxy',
  pgbouncer: '/usr/sbin/pgbouncer',
  'xz-utils': '/usr/bin/xz',
};

/** What a cluster on this machine is made of. Refuses where it cannot be had. */
export async function install(): Promise<void> {
  const isDebian = existsSync('/etc/debian_version') && /^12\b/.test(readFileSync('/etc/debian_version', 'utf8'));
  if (!isDebian || process.arch !== 'x64')
    refuse('npm run test:cluster installs with apt: it needs Debian 12 on amd64.');
  if (process.getuid?.() !== 0)
    refuse('npm run test:cluster installs with apt and starts PostgreSQL: it must be run as root.');
  const missing = Object.keys(PACKAGES).filter((name) => !existsSync(PACKAGES[name]!));
  if (missing.length > 0) {
    await must('apt-get', ['update', '-qq']);
    await must('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing]);
  }
  if (existsSync(`${POSTGRES}/lib/citus.so`)) return;
  const pattern = process.env.CITUS_ARCHIVE || ARCHIVE;
  const [archive] = globSync(pattern);
  if (!archive) {
    return refuse(
      `The extension Citus is not installed, and ${pattern} does not exist. Install Citus 13 for PostgreSQL 15 yourself (citusdata.com), ` +
        'or name an archive of its files, as they lie below /, in CITUS_ARCHIVE.',
    );
  }
  await must('tar', ['-xJf', archive, '-C', '/']);
}

async function must(file: string, args: string[]): Promise<void> {
  const { code, output } = await runCommand(file, args, { env: { DEBIAN_FRONTEND: 'noninteractive' } });
  if (code !== 0) refuse(`${file} ${args.join(' ')} failed:\n${output}`);
}
