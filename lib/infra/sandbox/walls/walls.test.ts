import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { env } from '#lib/base/env.ts';
import { findWalls, look, type Walls } from './find-walls.ts';
import { forkWithin } from './fork-within.ts';
import { hiddenPlaces } from './hidden-places.ts';
import type { Probed, Tried } from './probe.fixture.ts';
import { FIRST_USER } from './users.ts';

const isRoot = process.getuid?.() === 0;
const PROBE = join(import.meta.dirname, 'probe.fixture.ts');
/** As who has no rights: root can be told to be that. */
const BECOME_NOBODY = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];
const servers: Server[] = [];
let tried: Tried;
let folder: string;
let shared: string;

beforeAll(async () => {
  mkdirSync(env().DATA_DIR, { recursive: true, mode: 0o700 });
  folder = mkdtempSync(join(env().DATA_DIR, 'walls-'));
  const dataFile = join(folder, 'secret');
  writeFileSync(dataFile, 'secret', { mode: 0o600 });
  const listen = (at: number | string) =>
    new Promise<Server>((resolve) => {
      const server = createServer().listen(at, () => resolve(server));
      servers.push(server);
    });
  const socket = join(folder, 'socket');
  await listen(socket);
  const { port } = (await listen(0)).address() as { port: number };
  // For everybody to read, where a place is hidden: which ones are depends on where the project lies.
  const open = hiddenPlaces().places.includes('/tmp') ? '/tmp' : '/var/tmp';
  shared = mkdtempSync(join(open, 'walls-'));
  chmodSync(shared, 0o755);
  const openFile = join(shared, 'open');
  writeFileSync(openFile, 'open', { mode: 0o644 });
  tried = { port, openFile, socket, dataFile, serverPid: process.pid, writable: join(folder, 'new') };
});
afterAll(() => {
  for (const server of servers) server.close();
  for (const made of [folder, shared]) rmSync(made, { recursive: true, force: true });
});

/** What a process behind these walls finds, without Node's own permissions: as if V8 were broken. */
async function probe(walls: Pick<Walls, 'command' | 'user'>): Promise<Probed & { pid: number }> {
  const { child, pipe } = forkWithin(walls, PROBE, []);
  let said = '';
  child.stderr!.on('data', (data) => {
    said += data;
  });
  const closed = new Promise<string>((resolve) => {
    child.once('close', (code, signal) => resolve(`${signal ?? code}: ${said}`));
  });
  pipe.write(`${JSON.stringify(tried)}\n`);
  // Who ends before reading resets the pipe: why, only its last words say.
  const answer = await text(pipe).catch(() => '');
  const end = await closed;
  if (!answer) throw new Error(`The probe ended without an answer, by ${end}`);
  const probed = JSON.parse(answer) as Probed;
  return { ...probed, pid: child.pid! };
}

type Self = {
  uid: number;
  gid: number;
  groups: number[];
  cwd: string;
  env: string[];
  status: string;
  limits: string;
  oom: string;
};

/** What holds whatever the machine gives. */
function expectBare({ self, descriptors }: Probed): void {
  const { cwd, env: names, oom } = self as Self;
  expect(cwd).toBe('/');
  expect(names).toEqual([]);
  expect(oom).toBe('1000');
  const open = (descriptors as string[]).map((line) => line.split(' ')[1]!);
  // Its pipe, its stderr, /dev/null, and what Node's own loop needs.
  for (const file of open) expect(file).toMatch(/^(\/dev\/null|socket:|pipe:|anon_inode:|\/proc\/\d+\/fd)/);
  expect(open.filter((file) => file.startsWith('socket:')).length).toBeLessThanOrEqual(2);
}

function expectDenied({ isBuilt }: Walls, probed: Probed): void {
  const { status, limits } = probed.self as Self;
  if (isBuilt.network) {
    expect([probed.port, probed.outside]).toEqual(['ENETUNREACH', 'ENETUNREACH']);
    expect(probed.environment).toBe('EACCES');
    expect(probed.memory).toBe('EACCES');
  }
  if (isBuilt.places) {
    // Where it stands, a user may not look at all.
    expect(probed.dataFile).toMatch(/ENOENT|EACCES/);
    expect(probed.socket).toMatch(/ENOENT|EACCES/);
    expect(probed.openFile).toBe('ENOENT');
  }
  if (isBuilt.privileges) {
    expect(status).toMatch(/NoNewPrivs:\s1/);
    expect(status).toMatch(/CapEff:\s0{16}/);
    expect(status).toMatch(/CapPrm:\s0{16}/);
    expect(probed.mount).not.toBe('mounted');
  }
  if (isBuilt.limits) {
    expect(limits).toMatch(/Max core file size\s+0\s+0/);
    expect(limits).toMatch(/Max file size\s+0\s+0/);
    expect(probed.files).toBe('EMFILE');
  }
}

describe('a process of bots that somebody has taken over', () => {
  it('reaches nothing of ours and of this machine that a wall is told to keep from it', async () => {
    const walls = await findWalls();
    const probed = await probe(walls);
    expectBare(probed);
    expectDenied(walls, probed);
  });

  it.runIf(isRoot)('is nobody, where the server is root: a user of its own, without a way back', async () => {
    const walls = await findWalls();
    expect(walls.user).toBeDefined();
    const { self, pid, root, signal, dataFile, socket, write, environment } = await probe(walls);
    const { uid, gid, groups } = self as Self;
    if (walls.user === 'own') expect([uid, gid]).toEqual([FIRST_USER + pid, FIRST_USER + pid]);
    expect(uid).not.toBe(0);
    expect(groups).toEqual([gid]);
    expect([root, signal]).toEqual(['EPERM', 'EPERM']);
    for (const denied of [dataFile, socket, write, environment]) expect(denied).toMatch(/EACCES|ENOENT|EROFS/);
  });

  it.runIf(isRoot)('is kept from it by its user alone, where there are no namespaces', async () => {
    const { user } = await findWalls();
    const { dataFile, socket, write, environment, memory, signal, root } = await probe({ command: [], user });
    for (const denied of [dataFile, socket, write, environment, memory]) expect(denied).toBe('EACCES');
    expect([root, signal]).toEqual(['EPERM', 'EPERM']);
  });

  it.runIf(isRoot)('leaves nothing running when it ends', async () => {
    const walls = await findWalls();
    if (walls.user !== 'own') return;
    const { child, pid } = await probe(walls);
    expect(child).toEqual(expect.any(Number));
    await expect.poll(() => processesOf(FIRST_USER + pid)).toEqual([]);
  });

  it.runIf(canNobodyRun())('finds the same behind what a server gets that is not root', async () => {
    // What root is given says nothing of what nobody is: a machine may keep namespaces from all but root.
    const walls = await look(false, BECOME_NOBODY);
    const probed = await probe({ command: [...BECOME_NOBODY, ...walls.command], user: undefined });
    expectBare(probed);
    expectDenied(walls, probed);
  });
});

/** Root's checkout, or root's Node, may lie where nobody else can read: then nobody else can be tried. Loaded whole: each of its files counts. */
function canNobodyRun(): boolean {
  const [file, ...args] = [...BECOME_NOBODY, process.execPath, PROBE];
  const { stderr } = spawnSync(file!, args, { cwd: '/', env: {} as NodeJS.ProcessEnv, encoding: 'utf8' });
  // It has no pipe here, and comes as far as that.
  return /EBADF|ERR_INVALID_FD_TYPE|EINVAL/.test(stderr);
}

function processesOf(uid: number): string[] {
  const all = execFileSync('ps', ['-eo', 'uid=,pid=,stat=,args='], { encoding: 'utf8' }).split('\n');
  return all.filter((line) => line.trim().startsWith(`${uid} `) && !/ Z/.test(line));
}
