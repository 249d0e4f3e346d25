import { execFileSync, spawn } from 'node:child_process';
import { openSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { connect, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { dropUser } from './drop-user.ts';
import { PIPE } from './pipe.ts';

/** What whoever has taken over a runner process would try first. Each answer is what came of it, or the code of its failure. */
export type Probed = Record<string, unknown>;
export type Tried = {
  port: number;
  socket: string;
  dataFile: string;
  openFile: string;
  serverPid: number;
  writable: string;
};

dropUser();
const pipe = new Socket({ fd: PIPE });
pipe.once('data', async (line) => {
  const tried = JSON.parse(String(line)) as Tried;
  const attempts: Record<string, () => unknown> = {
    port: () => reach({ host: '127.0.0.1', port: tried.port }),
    outside: () => reach({ host: '192.0.2.1', port: 443 }),
    socket: () => reach({ path: tried.socket }),
    dataFile: () => readFileSync(tried.dataFile, 'utf8'),
    openFile: () => readFileSync(tried.openFile, 'utf8'),
    environment: () => readFileSync(`/proc/${tried.serverPid}/environ`, 'utf8'),
    memory: () => openSync(`/proc/${tried.serverPid}/mem`, 'r+'),
    signal: () => process.kill(tried.serverPid, 0),
    write: () => writeFileSync(tried.writable, 'x'),
    root: () => process.setuid!(0),
    // Longer than the probe: what a runner process leaves behind.
    child: () => spawn('sleep', ['600'], { stdio: 'ignore', detached: true }).pid,
    mount: () => {
      execFileSync('mount', ['-t', 'tmpfs', 'none', '/mnt'], { stdio: 'pipe', env: {} as NodeJS.ProcessEnv });
      return 'mounted';
    },
    files: () => Array.from({ length: 1000 }, () => openSync('/dev/null', 'r')).length,
    self: () => ({
      uid: process.getuid!(),
      gid: process.getgid!(),
      groups: process.getgroups!(),
      cwd: process.cwd(),
      env: Object.keys(process.env),
      status: readFileSync('/proc/self/status', 'utf8'),
      limits: readFileSync('/proc/self/limits', 'utf8'),
      oom: readFileSync('/proc/self/oom_score_adj', 'utf8').trim(),
    }),
    descriptors: () => readdirSync('/proc/self/fd').flatMap((fd) => nameOf(fd)),
  };
  const probed: Probed = {};
  // Those that use up what there is come last.
  const order = ['self', 'descriptors', ...Object.keys(attempts).filter((name) => name !== 'files'), 'files'];
  for (const name of new Set(order)) {
    try {
      probed[name] = await attempts[name]!();
    } catch (error) {
      probed[name] = (error as NodeJS.ErrnoException).code ?? 'refused';
    }
  }
  pipe.end(JSON.stringify(probed), () => process.exit(0));
});

function reach(to: { host: string; port: number } | { path: string }): Promise<string> {
  const tried = new Promise<string>((resolve, reject) => {
    const socket = connect(to as never, () => resolve('connected'));
    socket.once('error', reject);
  });
  return Promise.race([tried, pause(3000, 'no answer')]);
}

function nameOf(fd: string): string[] {
  try {
    return [`${fd} ${readlinkSync(`/proc/self/fd/${fd}`)}`];
  } catch {
    return [];
  }
}
