import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';

export type Owner = { uid: number; gid: number };

/**
 * Whom PostgreSQL runs as, when that is not who we are: it refuses to run as root. Undefined for everybody but root.
 * The owner of data that exists comes first, then `postgres`, then a user made for this, then `nobody`.
 */
export function findOwner(dataDir: string): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const data = statSync(dataDir, { throwIfNoEntry: false });
  if (data && data.uid !== 0) return { uid: data.uid, gid: data.gid };
  return findUser('postgres') ?? findUser('gatehouse') ?? makeUser('gatehouse') ?? findUser('nobody') ?? refuse();
}

function findUser(name: string): Owner | undefined {
  const [uid, gid] = [idOf('-u', name), idOf('-g', name)];
  return uid && gid ? { uid, gid } : undefined;
}

function idOf(flag: string, name: string): number | undefined {
  const { status, stdout } = spawnSync('id', [flag, name], { encoding: 'utf8' });
  return status === 0 ? Number.parseInt(stdout, 10) : undefined;
}

function makeUser(name: string): Owner | undefined {
  const flags = [
    '--system',
    '--user-group',
    '--no-create-home',
    '--home-dir',
    '/nonexistent',
    '--shell',
    '/usr/sbin/nologin',
  ];
  return spawnSync('useradd', [...flags, name]).status === 0 ? findUser(name) : undefined;
}

function refuse(): never {
  throw new Error(
    'PostgreSQL does not run as root, and this machine has no other user to run it as. Set DATABASE_URL, or start as another user.',
  );
}
