import { type ChildProcess, spawn } from 'node:child_process';

type Work = () => Promise<unknown> | undefined;

const works: Work[] = [];
let ending: Promise<void> | undefined;
let reload: (() => void) | undefined;

/**
 * Runs a command that starts things which must be ended: by Ctrl-C, SIGTERM, a closed terminal, the end of the process
 * that started us, or a failure on the way.
 */
export async function withEnd(command: () => Promise<void>): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end(0));
  const hasTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
  process.on('SIGHUP', () => (reload && !hasTerminal ? reload() : void end(0)));
  process.once('disconnect', () => void end(0));
  process.channel?.unref();
  try {
    await command();
  } catch (error) {
    // What fails while all is being ended fails because of that.
    if (isEnding()) return;
    await endAll();
    throw error;
  }
}

/** What SIGHUP does from now on where there is no terminal that it could tell the end of. */
export function onReload(work: () => void): void {
  reload = work;
}

/** What is registered last is ended first. */
export function atEnd(work: Work): void {
  works.unshift(work);
}

export async function end(code: number): Promise<never> {
  await endAll();
  process.exit(code);
}

export function isEnding(): boolean {
  return ending !== undefined;
}

function endAll(): Promise<void> {
  ending ??= (async () => {
    for (const work of works)
      await work()?.catch((error) => console.error(error instanceof Error ? error.message : error));
  })();
  return ending;
}

/** Starts `node <args>` and sees to it that it is ended with us. */
export function startNode(args: string[], limitMs: number, stdio: 'inherit' | 'pipe' = 'inherit'): ChildProcess {
  const child = spawnNode(args, stdio);
  atEnd(() => endNode(child, limitMs));
  return child;
}

function spawnNode(args: string[], stdio: 'inherit' | 'pipe' = 'inherit'): ChildProcess {
  return spawn(process.execPath, args, { stdio: ['ignore', stdio, stdio, 'ipc'] });
}

/** SIGTERM, or what `ask` does; and SIGKILL when that takes longer than `limitMs`. */
export function endNode(
  child: ChildProcess,
  limitMs: number,
  ask: () => unknown = () => child.kill('SIGTERM'),
): Promise<unknown> | undefined {
  if (child.exitCode !== null || child.signalCode !== null) return undefined;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  ask();
  const late = setTimeout(() => child.kill('SIGKILL'), limitMs);
  return gone.finally(() => clearTimeout(late));
}
