/** What programs ask of `process` that were written for Node: the same on every machine. There is none here, and nothing of the server's stands in it. */
export const env: Record<string, string> = {};
export const argv: string[] = [];
export const execArgv: string[] = [];
export const version = 'v24.0.0';
export const versions = { node: '24.0.0' };
export const platform = 'linux';
export const arch = 'x64';
export const pid = 1;
export const browser = true;
export const title = 'bot';

export function nextTick(callback: (...args: unknown[]) => void, ...args: unknown[]): void {
  queueMicrotask(() => callback(...args));
}

export function cwd(): string {
  return '/';
}

export function uptime(): number {
  return performance.now() / 1000;
}

export function hrtime([seconds, nanoseconds]: [number, number] = [0, 0]): [number, number] {
  const now = performance.now() * 1e6 - (seconds * 1e9 + nanoseconds);
  return [Math.floor(now / 1e9), Math.floor(now % 1e9)];
}

hrtime.bigint = () => BigInt(Math.floor(performance.now() * 1e6));

const listens = () => undefined;

export { listens as addListener, listens as emitWarning, listens as off, listens as on, listens as once };
