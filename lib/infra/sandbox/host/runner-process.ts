import { fork } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { log } from '#lib/base/log.ts';
import type { RunJob } from './run-job.ts';
import { sandboxPath } from './sandbox-path.ts';
import type { FromRunner, ToRunner } from './wire.ts';

export type RunnerProcess = {
  isReady: boolean;
  /** Gets no more runs, and is to be killed by then (performance.now). */
  retireBy?: number;
  /** Ids of the runs it holds. */
  readonly running: Set<number>;
  hasVersion(versionKey: string): boolean;
  start(runId: number, job: RunJob, memoryMb: number): void;
  reply(runId: number, callId: number, ok: boolean, value: string | undefined): void;
  /** Ends it at once; resolves when it is gone. */
  kill(): Promise<void>;
};

export type RunnerEvents = {
  onReady: () => void;
  onMessage: (message: FromRunner) => void;
  onExit: (signal: string | null) => void;
};

const MAX_VERSIONS = 50;

/** One runner process, which keeps the code of the versions it ran last. */
export function spawnRunner(
  prelude: string,
  processMemoryMb: number,
  { onReady, onMessage, onExit }: RunnerEvents,
): RunnerProcess {
  const child = fork(sandboxPath('runner/main.ts'), [], {
    // Nothing of ours: the type, from Next, demands a NODE_ENV.
    env: {} as NodeJS.ProcessEnv,
    execArgv: runnerFlags(),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const versions = new Set<string>();
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let outbox: ToRunner[] = [];
  const runner: RunnerProcess = { isReady: false, running: new Set(), hasVersion, start, reply, kill };

  child.on('message', (messages: FromRunner[]) => {
    for (const message of messages) {
      if (message[0] === 'ready') runner.isReady = true;
      if (message[0] === 'ready') onReady();
      else onMessage(message);
    }
  });
  child.stderr!.on('data', (data: Buffer) => log.debug({ bytes: data.length }, 'a bot process wrote to stderr'));
  // A failed spawn and a broken pipe say `error`; what matters is that the process is gone.
  child.on('error', (err) => log.error({ err }, 'a bot process failed'));
  child.once('close', (_code, signal) => onExit(signal));
  post(['init', prelude, processMemoryMb]);
  return runner;

  function hasVersion(versionKey: string): boolean {
    return versions.has(versionKey);
  }

  function start(runId: number, job: RunJob, memoryMb: number): void {
    load(job);
    runner.running.add(runId);
    const { bot, contentType, requester, traceId, headers, secrets, event } = job;
    const envelope = JSON.stringify({ bot, contentType, requester, traceId, headers, secrets });
    const input = event.kind === 'json' ? JSON.stringify(event.value) : (event.value ?? '');
    post(['run', runId, job.versionKey, memoryMb, job.timeoutMs, envelope, event.kind, input]);
  }

  function load({ versionKey, code }: RunJob): void {
    if (!versions.has(versionKey)) post(['load', versionKey, code]);
    // Last used last.
    versions.delete(versionKey);
    versions.add(versionKey);
    if (versions.size <= MAX_VERSIONS) return;
    const [oldest] = versions;
    versions.delete(oldest!);
    post(['unload', oldest!]);
  }

  function reply(runId: number, callId: number, ok: boolean, value: string | undefined): void {
    post(['reply', runId, callId, ok, value]);
  }

  // One write for what one turn of the loop produced.
  function post(message: ToRunner): void {
    if (outbox.push(message) === 1) setImmediate(flush);
  }

  function flush(): void {
    const messages = outbox;
    outbox = [];
    // The callback keeps a write to a process that has just ended from being an `error` event.
    if (child.connected) child.send(messages, () => {});
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
    ...readable.map((file) => `--allow-fs-read=${file}`),
  ];
}
