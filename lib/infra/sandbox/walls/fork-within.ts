import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { log } from '#lib/base/log.ts';
import { endUser } from './end-user.ts';
import type { Walls } from './find-walls.ts';
import { PIPE } from './pipe.ts';
import { FIRST_USER } from './users.ts';

export type Within = { child: ChildProcess; pipe: Socket };

/**
 * A Node process behind these walls, with a pipe to us and nothing else: no environment, the root as its folder, and the first that the
 * kernel ends when memory is short. With a `group` it stands in that folder and leads
 * a group of its own, with all that it starts. The script drops the user (drop-user.ts), which it gets as its argument, before it does anything.
 * The pipe is bytes: Node's own messages between processes have no limit of length, and are read before we could look at them.
 */
export function forkWithin(
  { command, user }: WallsOf,
  script: string,
  flags: string[],
  group?: { folder: string },
): Within {
  const [file = process.execPath, ...rest] = [...command, process.execPath];
  const child = spawn(file, [...rest, ...flags, script, ...(user ? [user] : [])], {
    // Nothing of ours: the type, from Next, demands a NODE_ENV.
    env: {} as NodeJS.ProcessEnv,
    cwd: group?.folder ?? '/',
    detached: group !== undefined,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const within = { child, pipe: child.stdio[PIPE] as Socket };
  const { pid } = child;
  if (pid === undefined) return within;
  endFirst(pid);
  // What it has started, if it could, goes with it.
  if (user === 'own') child.once('exit', () => endUser(FIRST_USER + pid));
  return within;
}

type WallsOf = Pick<Walls, 'command' | 'user'>;

function endFirst(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  } catch (err) {
    log.debug({ err }, 'a bot process is not the first to go when memory is short');
  }
}
