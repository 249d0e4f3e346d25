import { type ChildProcess, fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { log } from '#lib/base/log.ts';
import { endUser } from './end-user.ts';
import type { Walls } from './find-walls.ts';
import { FIRST_USER } from './users.ts';

/**
 * A Node process behind these walls, with a pipe to us and nothing else: no environment, the root as its folder, and the first that the
 * kernel ends when memory is short. The script drops the user (drop-user.ts), which it gets as its argument, before it does anything.
 */
export function forkWithin({ command, user }: WallsOf, script: string, flags: string[]): ChildProcess {
  const [file = process.execPath, ...rest] = [...command, process.execPath];
  const child = fork(script, user ? [user] : [], {
    execPath: file,
    execArgv: [...rest, ...flags],
    // Nothing of ours: the type, from Next, demands a NODE_ENV.
    env: {} as NodeJS.ProcessEnv,
    cwd: '/',
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const { pid } = child;
  if (pid === undefined) return child;
  endFirst(pid);
  // What it has started, if it could, goes with it.
  if (user === 'own') child.once('exit', () => endUser(FIRST_USER + pid));
  return child;
}

type WallsOf = Pick<Walls, 'command' | 'user'>;

function endFirst(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  } catch (err) {
    log.debug({ err }, 'a bot process is not the first to go when memory is short');
  }
}
