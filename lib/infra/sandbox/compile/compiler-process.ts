import { chmodSync, mkdtempSync, readFileSync, rmdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { log } from '#lib/base/log.ts';
import type { BotProgram } from '#lib/protocol/bots/to-program.ts';
import { loadCore } from '../host/core-source.ts';
import { sandboxPath } from '../host/sandbox-path.ts';
import type { Walls } from '../walls/find-walls.ts';
import { forkWithin } from '../walls/fork-within.ts';
import { encodeFrames } from '../wire/encode-frames.ts';
import { createFrameReader, FrameFault } from '../wire/frame-reader.ts';
import type { BundleResult } from './bundle-result.ts';
import { FROM_COMPILER, type FromCompiler, readErrors, TO_COMPILER, type ToCompiler } from './wire.ts';

export type CompilerProcess = {
  pid: number | undefined;
  /** One at a time, once it is ready. */
  build(program: BotProgram): void;
  /** What it and its child have of the machine's memory, in MiB, as the kernel says; 0 where it does not say. */
  residentMb(): number;
  /** Ends both at once. */
  kill(): void;
};

export type CompilerEvents = {
  onReady: () => void;
  onResult: (result: BundleResult) => void;
  /** It is gone. */
  onExit: () => void;
};

/** A process that compiles bots (main.ts), behind the walls of those that run them. */
export function spawnCompiler(walls: Walls, { onReady, onResult, onExit }: CompilerEvents): CompilerProcess {
  const folder = makeFolder();
  const { child, pipe } = forkWithin(walls, sandboxPath('compile/main.ts'), compilerFlags(), { folder: folder ?? '/' });
  let isReady = false;
  let isBuilding = false;
  const reader = createFrameReader(FROM_COMPILER, (message) => receive(message as FromCompiler));

  pipe.on('data', (chunk) => {
    try {
      reader.push(chunk);
    } catch (error) {
      if (!(error instanceof FrameFault)) throw error;
      log.error({ why: error.message }, 'a process that compiles bots sent what it may not, and is ended');
      kill();
    }
  });
  // It is closed then.
  pipe.on('error', () => undefined);
  pipe.on('close', kill);
  child.stderr!.once('data', () => child.stderr!.destroy());
  // What waits for an answer has a timer.
  for (const one of [child, pipe, child.stderr as Socket]) one.unref();
  child.on('error', (err) => log.error({ err }, 'a process that compiles bots failed'));
  child.once('exit', () => {
    pipe.destroy();
    // Its own child may be in the middle of something.
    kill();
    closeFolder(folder);
    onExit();
  });
  if (child.pid === undefined) setImmediate(onExit);
  post(['init', JSON.stringify(loadCore().names)]);
  return { pid: child.pid, build, residentMb: () => residentMb(child.pid), kill };

  function receive(message: FromCompiler): void {
    if (message[0] === 'ready' ? isReady : !isBuilding) throw new FrameFault('This may not be said now');
    if (message[0] === 'ready') {
      isReady = true;
      closeFolder(folder);
      onReady();
      return;
    }
    isBuilding = false;
    if (message[0] === 'built') onResult({ ok: true, code: message[1], sourceMap: message[2] });
    else {
      const errors = readErrors(message[1]);
      if (!errors) throw new FrameFault('These are no errors');
      onResult({ ok: false, errors });
    }
  }

  function build(program: BotProgram): void {
    isBuilding = true;
    post(['build', JSON.stringify(program)]);
  }

  function post(message: ToCompiler): void {
    if (pipe.writable) pipe.write(encodeFrames(TO_COMPILER, [message]));
  }

  /** It leads a group, in which its child is, too. */
  function kill(): void {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // Both are gone.
    }
  }
}

/** Where both stand, and nothing is. Without one they stand at the root, and what looks for files from there ends with its time. */
function makeFolder(): string | undefined {
  try {
    return mkdtempSync(path.join(tmpdir(), 'gatehouse-compile-'));
  } catch (err) {
    log.warn({ err }, 'a process that compiles bots has no folder of its own');
    return undefined;
  }
}

/** Who stands there stays, and goes nowhere by a relative path: not even up. For root that is nothing, and so its user is another. */
function closeFolder(folder: string | undefined): void {
  if (!folder) return;
  try {
    chmodSync(folder, 0);
    rmdirSync(folder);
  } catch {
    // It is gone.
  }
}

function residentMb(pid: number | undefined): number {
  if (pid === undefined) return 0;
  const children = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean);
  return [pid, ...children].map(ofOne).reduce((sum, mb) => sum + mb, 0);
}

function ofOne(pid: number | string): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`)) ?? [];
  return Number(kib ?? 0) / 1024;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Its own sources, the packages that it loads, and esbuild's program, which is started with none of this: the walls hold that. */
function compilerFlags(): string[] {
  const require = createRequire(sandboxPath('compile/main.ts'));
  const modules = ['esbuild', 'resolve.exports'].map((name) => path.dirname(require.resolve(`${name}/package.json`)));
  const programs = path.join(path.dirname(modules[0]!), '@esbuild');
  const readable = [sandboxPath(''), ...modules, programs, '/proc/self/fd/*'];
  return [
    '--permission',
    '--allow-child-process',
    '--disable-warning=PERM0001',
    '--max-old-space-size=512',
    ...readable.map((file) => `--allow-fs-read=${file}`),
  ];
}
