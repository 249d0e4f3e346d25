import { writeLine } from '../console/log.ts';

/** What programs ask of `process` that were written for Node: the same on every machine. There is none here, and nothing of the server's stands in it. All in one function: what stands in the snapshot by itself is copied into every context (globals.ts). */
export function createProcess() {
  // Nothing is told to those who listen here; one of it can be chained to the next.
  const listening = {
    ...{ addListener: listens, off: listens, on: listens, once: listens, prependListener: listens },
    ...{ removeAllListeners: listens, removeListener: listens, setMaxListeners: listens },
    emit: () => false,
    listenerCount: () => 0,
    listeners: () => [],
  };
  return {
    env: {} as Record<string, string>,
    argv: [] as string[],
    execArgv: [] as string[],
    version: 'v24.0.0',
    versions: { node: '24.0.0' },
    platform: 'linux',
    arch: 'x64',
    pid: 1,
    browser: true,
    title: 'bot',
    release: { name: 'node' },
    exitCode: undefined as number | undefined,
    nextTick,
    hrtime: Object.assign(hrtime, { bigint: () => BigInt(Math.floor(performance.now() * 1e6)) }),
    cwd: () => '/',
    uptime: () => performance.now() / 1000,
    emitWarning,
    stdout: createStream(1, 'log'),
    stderr: createStream(2, 'error'),
    ...listening,
  };

  // Each piece that is written is a line of the run's log.
  function createStream(fd: number, level: string) {
    const write = (chunk: string | Uint8Array, ...more: unknown[]): boolean => {
      const text = typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk);
      if (text !== '') writeLine(level, text.replace(/\n$/, ''));
      const done = more.at(-1);
      if (typeof done === 'function') nextTick(done as () => void);
      return true;
    };
    return { fd, writable: true, write, end: write, ...listening };
  }

  // https://nodejs.org/api/process.html#processemitwarningwarning-options: as Node prints it.
  function emitWarning(
    warning: string | Error,
    given: string | { type?: string; code?: string } = {},
    second?: string,
  ): void {
    const { type = 'Warning', code = second } = typeof given === 'object' && given !== null ? given : { type: given };
    const isError = warning instanceof Error;
    const name = isError ? warning.name : type;
    const told = isError ? (warning as { code?: string }).code : code;
    const before = typeof told === 'string' ? `[${told}] ` : '';
    writeLine('warn', `(node:1) ${before}${name}: ${isError ? warning.message : String(warning)}`);
  }

  function nextTick(callback: (...args: unknown[]) => void, ...args: unknown[]): void {
    queueMicrotask(() => callback(...args));
  }

  function hrtime([seconds, nanoseconds]: [number, number] = [0, 0]): [number, number] {
    const now = performance.now() * 1e6 - (seconds * 1e9 + nanoseconds);
    return [Math.floor(now / 1e9), Math.floor(now % 1e9)];
  }

  function listens(this: unknown): unknown {
    return this;
  }
}
