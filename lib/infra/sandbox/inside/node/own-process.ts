/** What programs ask of `process` that were written for Node: the same on every machine. There is none here, and nothing of the server's stands in it. */
export function createProcess() {
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
    nextTick,
    hrtime: Object.assign(hrtime, { bigint: () => BigInt(Math.floor(performance.now() * 1e6)) }),
    cwd: () => '/',
    uptime: () => performance.now() / 1000,
    ...{ addListener: listens, emitWarning: listens, off: listens, on: listens, once: listens },
  };
}

function nextTick(callback: (...args: unknown[]) => void, ...args: unknown[]): void {
  queueMicrotask(() => callback(...args));
}

function hrtime([seconds, nanoseconds]: [number, number] = [0, 0]): [number, number] {
  const now = performance.now() * 1e6 - (seconds * 1e9 + nanoseconds);
  return [Math.floor(now / 1e9), Math.floor(now % 1e9)];
}

/** One of it can be chained to the next. */
function listens(this: unknown): unknown {
  return this;
}
