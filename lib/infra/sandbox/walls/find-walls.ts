import { execFile } from 'node:child_process';
import { log } from '#lib/base/log.ts';
import { makeGauge } from '../../metrics/registry.ts';
import { sandboxPath } from '../host/sandbox-path.ts';
import { hiddenPlaces } from './hidden-places.ts';
import { FIRST_USER, NOBODY } from './users.ts';

/**
 * What stands round a runner process beside Node's own permissions, so that whoever breaks V8 has a process in which there is nothing.
 * `command`: what the process is started by, and what it ends as; empty where the machine gives nothing.
 */
export type Walls = {
  command: string[];
  /** `own`: a user of its own for each process; `nobody`: one for all; undefined: the server's. */
  user: 'own' | 'nobody' | undefined;
  isBuilt: Record<Wall, boolean>;
};

/**
 * `user`: it is another user than the server. `network`: no sockets but its pipe lead anywhere. `places`: DATA_DIR and where others have
 * theirs are empty. `privileges`: none, and none to be had. `limits`: of memory, files, threads.
 */
export const WALLS = ['user', 'network', 'places', 'privileges', 'limits'] as const;
export type Wall = (typeof WALLS)[number];

/** Past what a runner uses at its worst. Not of memory: each isolate has half a gigabyte of addresses that it never touches. */
const LIMITS = ['--core=0', '--fsize=0', '--nofile=256'];
const THREADS = '--nproc=512';
/** What `drop-user.ts` needs, and reading sources that are not the server's own. */
const UNTIL_DROPPED = '+setuid,+setgid,+dac_read_search';
/** Its arguments: the places, `--`, the command. A file becomes an empty one, a folder an empty folder; what cannot be seen anyway stays. */
const HIDE = `while [ "$1" != -- ]; do
  if [ -d "$1" ]; then mount -t tmpfs -o ro,size=4k,mode=755 none "$1"
  elif [ -e "$1" ]; then mount --bind /dev/null "$1"; fi || exit 1
  shift
done; shift; unset PWD OLDPWD; exec "$@"`;

/** A file of ours in Node: behind walls where "true" runs and this does not there would be no bots. */
const OURS = [process.execPath, sandboxPath('walls/pipe.ts')];
/** Walls that a busy machine took for missing would be missing until the next start. */
const TRIAL_MS = 20_000;

/** Node's type, from Next, demands a NODE_ENV. The commands are where systems have them. */
const NOTHING = {} as NodeJS.ProcessEnv;

let found: Promise<Walls> | undefined;

/** Finds out once per process, in some hundred milliseconds, and says it in the log. */
export function findWalls(): Promise<Walls> {
  found ??= look(process.getuid?.() === 0).then((walls) => {
    const missing = WALLS.filter((wall) => !walls.isBuilt[wall]);
    log.info({ missing, user: walls.user }, missing.length > 0 ? LACKING : 'bots run behind all walls');
    built = walls.isBuilt;
    return walls;
  });
  return found;
}

const LACKING = 'bots run behind fewer walls than there may be: see docs/bots.md, "The runner"';
let built: Walls['isBuilt'] | undefined;

makeGauge(
  'gatehouse_sandbox_wall',
  'Whether this wall stands round the processes for bots (docs/bots.md).',
  ['wall'],
  () => WALLS.flatMap((wall) => (built ? [{ wall, value: built[wall] ? 1 : 0 }] : [])),
);

/** What there is for root, and what for anybody else. `as`: the command by which this process becomes whoever is asked about. */
export async function look(isRoot: boolean, as: string[] = []): Promise<Walls> {
  const [user, namespaces, limits] = await Promise.all([
    isRoot ? findUser() : undefined,
    findNamespaces(isRoot, as),
    works([...as, 'prlimit', ...LIMITS]),
  ]);
  const bounds = limits ? ['prlimit', ...LIMITS, ...(user === 'own' ? [THREADS] : [])] : [];
  const walls = (inside: string[], privileges: string[], bounds: string[]): Walls => ({
    command: [...inside, ...privileges, ...bounds],
    user,
    isBuilt: {
      user: user !== undefined,
      network: inside.length > 0,
      places: inside.length > 0 && hiddenPlaces().areAll,
      privileges: privileges.length > 0,
      limits: bounds.length > 0,
    },
  });
  for (const inside of namespaces.length > 0 ? [namespaces, []] : [[]]) {
    const privileges = await findPrivileges(isRoot, as, inside);
    // Root in namespaces of its own, and never less: that is no wall but a ladder.
    if (!isRoot && inside.length > 0 && privileges.length === 0) continue;
    const found = walls(inside, privileges, bounds);
    if (await works([...as, ...found.command], OURS)) return found;
  }
  return walls([], [], []);
}

/** Beyond the namespaces a user of one's own may be root in them: what this may do goes, too. */
function findPrivileges(isRoot: boolean, as: string[], inside: string[]): Promise<string[]> {
  return firstWorking(
    [...as, ...inside],
    [
      ['setpriv', '--no-new-privs', `--bounding-set=-all${isRoot ? `,${UNTIL_DROPPED}` : ''}`, '--inh-caps=-all'],
      ...(isRoot || inside.length === 0 ? [['setpriv', '--no-new-privs']] : []),
    ],
  );
}

async function findUser(): Promise<Walls['user']> {
  const asUser = (id: number) => works(['setpriv', `--reuid=${id}`, `--regid=${id}`, '--clear-groups']);
  if (await asUser(FIRST_USER)) return 'own';
  return (await asUser(NOBODY)) ? 'nobody' : undefined;
}

/** Root makes them; anybody else where the kernel lets users have namespaces. */
function findNamespaces(isRoot: boolean, as: string[]): Promise<string[]> {
  const own = isRoot ? [] : ['--user', '--map-root-user'];
  const unshare = ['unshare', ...own, '--net', '--ipc', '--mount', 'sh', '-c', HIDE, 'sh'];
  return firstWorking(as, [[...unshare, ...hiddenPlaces().places, '--']]);
}

async function firstWorking(before: string[], commands: string[][]): Promise<string[]> {
  for (const command of commands) if (await works([...before, ...command])) return command;
  return [];
}

function works(command: string[], inside = ['true']): Promise<boolean> {
  const [file, ...args] = [...command, ...inside];
  return new Promise((resolve) => {
    execFile(file!, args, { env: NOTHING, cwd: '/', timeout: TRIAL_MS }, (error) => resolve(!error));
  });
}
