import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setPriority } from 'node:os';
import path from 'node:path';
import { log } from '#lib/base/log.ts';
import type { Walls } from '../walls/find-walls.ts';
import { forkWithin } from '../walls/fork-within.ts';
import { openChannel } from './channel.ts';
import { loadCore } from './core-source.ts';
import { isSound } from './is-sound.ts';
import type { RunJob } from './run-job.ts';
import { sandboxPath } from './sandbox-path.ts';
import type { FromRunner } from './wire.ts';

export type RunnerProcess = {
  /** Since when (performance.now). */
  readyAt?: number;
  /** Gets no more runs, and is to be killed soon. */
  isRetired?: boolean;
  /** Of which its runs are. */
  projectId?: string;
  /** Versions of the runs that hold it, by their ids. */
  readonly running: Map<number, string>;
  /** As it said last. */
  isolates: number;
  /** How often it has spoken of runs that it has not. */
  strays: number;
  /** It has not read yet what it was sent: it gets no more runs. */
  isBehind(): boolean;
  hasVersion(versionKey: string): boolean;
  start(runId: number, job: RunJob, memoryMb: number): void;
  reply(runId: number, callId: number, ok: boolean, value: string | undefined): void;
  cancel(runId: number): void;
  /** What it has of the machine's memory, in MiB, as the kernel says; 0 where it does not say. */
  residentMb(): number;
  /** Ends it at once; resolves when it is gone. */
  kill(): Promise<void>;
};

export type RunnerEvents = {
  onReady: () => void;
  /** False when the process may not say this: it is ended. */
  onMessage: (message: FromRunner) => boolean;
  /** It is behind no more. */
  onCaughtUp: () => void;
  onExit: (signal: string | null) => void;
};

const MAX_VERSIONS = 100;
/** Characters of code and maps that a process keeps. */
const MAX_CODE = 64 * 1024 * 1024;
/** What it says of itself and not of a run, in all its life. */
const MOST_WORDS = 200;
/** A process that is gone may have left another, which holds its pipe. */
const PIPE_AFTER_MS = 1000;

/**
 * Its nice value: the server is waited for by everybody, also by bots, and answers first. With the same for both a bot that is woken interrupts the server, and an
 * eighth fewer bots run in a second, and 40 % fewer reads beside them; a bot that computes for long still has what the server leaves, and a thirtieth of a core at least.
 */
const GIVES_WAY = 15;

/** One runner process, which keeps the code of the versions it ran last. */
export function spawnRunner(
  prelude: string,
  walls: Walls,
  { processMemoryMb, idleMb }: { processMemoryMb: number; idleMb: number },
  { onReady, onMessage, onCaughtUp, onExit }: RunnerEvents,
): RunnerProcess {
  const { child, pipe } = forkWithin(walls, sandboxPath('runner/main.ts'), runnerFlags());
  // Before it has other threads: each has that of the one that makes it.
  if (child.pid !== undefined) giveWay(child.pid);
  const versions = new Map<string, number>();
  let codeLength = 0;
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let words = 0;
  const { post, isBehind } = openChannel(pipe, { receive, onFault: breach, onClosed: () => void kill(), onCaughtUp });
  const runner: RunnerProcess = {
    ...{ running: new Map(), isolates: 0, strays: 0 },
    ...{ isBehind, hasVersion, start, reply, cancel, residentMb, kill },
  };

  // What V8 says when it ends. Nobody reads more of it.
  child.stderr!.once('data', (data: Buffer) => {
    log.debug({ bytes: data.length }, 'a bot process wrote to stderr');
    child.stderr!.destroy();
  });
  // A failed spawn and a broken pipe say `error`; what matters is that the process is gone.
  child.on('error', (err) => log.error({ err }, 'a bot process failed'));
  child.once('exit', () => setTimeout(letGo, PIPE_AFTER_MS).unref());
  child.once('close', (_code, signal) => onExit(signal));
  post(['init', prelude, processMemoryMb, idleMb, loadCore().script]);
  return runner;

  function receive(message: unknown): boolean {
    if (!isSound(message) || !mayRepeat(message)) return false;
    if (message[0] !== 'ready') return onMessage(message);
    runner.readyAt = performance.now();
    onReady();
    return true;
  }

  function mayRepeat([type]: FromRunner): boolean {
    if (type === 'ready') return runner.readyAt === undefined;
    if (type !== 'worn' && type !== 'lost') return true;
    words += 1;
    return words <= MOST_WORDS;
  }

  function breach(why: string): void {
    log.error({ why }, 'a bot process sent what it may not, and is ended');
    void kill();
  }

  function letGo(): void {
    pipe.destroy();
    child.stderr!.destroy();
  }

  function hasVersion(versionKey: string): boolean {
    return versions.has(versionKey);
  }

  function start(runId: number, job: RunJob, memoryMb: number): void {
    load(job);
    runner.projectId = job.projectId;
    runner.running.set(runId, job.versionKey);
    const { bot, contentType, requester, traceId, headers, secrets, session, event } = job;
    const envelope = JSON.stringify({ bot, contentType, requester, traceId, headers, secrets, session });
    const input = event.kind === 'json' ? event.text : (event.value ?? '');
    post(['run', runId, job.versionKey, memoryMb, job.timeoutMs, envelope, event.kind, input]);
  }

  function load({ versionKey, code, sourceMap }: RunJob): void {
    const size = code.length + (sourceMap?.length ?? 0);
    if (versions.has(versionKey)) versions.delete(versionKey);
    else {
      post(['load', versionKey, code, sourceMap]);
      codeLength += size;
    }
    // Last used last.
    versions.set(versionKey, size);
    if (versions.size > MAX_VERSIONS || codeLength > MAX_CODE) unload(versionKey);
  }

  /** The versions used longest ago, but none that a run may still begin with. */
  function unload(newest: string): void {
    const inUse = new Set(runner.running.values()).add(newest);
    for (const [versionKey, size] of versions) {
      if (versions.size <= MAX_VERSIONS && codeLength <= MAX_CODE) return;
      if (inUse.has(versionKey)) continue;
      versions.delete(versionKey);
      codeLength -= size;
      post(['unload', versionKey]);
    }
  }

  function reply(runId: number, callId: number, ok: boolean, value: string | undefined): void {
    post(['reply', runId, callId, ok ? 1 : 0, value]);
  }

  function cancel(runId: number): void {
    post(['cancel', runId]);
  }

  function residentMb(): number {
    try {
      const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
      return Number(kib ?? 0) / 1024;
    } catch {
      return 0;
    }
  }

  function kill(): Promise<void> {
    child.kill('SIGKILL');
    return exited;
  }
}

/** Everything is denied but reading its own source and the native addon. */
function runnerFlags(): string[] {
  const require = createRequire(sandboxPath('runner/main.ts'));
  const modules = ['isolated-vm', 'node-gyp-build'].map((name) =>
    path.dirname(require.resolve(`${name}/package.json`)),
  );
  const project = path.resolve(sandboxPath('.'), '../../..');
  // node-gyp-build tells musl from glibc by this file.
  const readable = [sandboxPath(''), ...modules, path.join(project, 'package.json'), '/etc/alpine-release'];
  return [
    '--permission',
    '--allow-addons',
    '--disable-warning=PERM0001',
    '--no-node-snapshot',
    // With it some loops never see that they are to stop (V8 13.6: an array filled in a loop).
    '--no-concurrent-osr',
    // What a bot leaves behind is collected in its own thread: that is its CPU, and no other thread has to be woken for it.
    '--single-threaded-gc',
    // Most of what a run makes is gone with it: with more, warm isolates take room from others, and are no faster.
    '--max-semi-space-size=4',
    ...readable.map((file) => `--allow-fs-read=${file}`),
  ];
}

function giveWay(pid: number): void {
  try {
    setPriority(pid, GIVES_WAY);
  } catch (err) {
    log.debug({ err }, 'a bot process has the priority of the server');
  }
}
