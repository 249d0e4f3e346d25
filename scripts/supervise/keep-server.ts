import type { ChildProcess } from 'node:child_process';
import { WRONG_SETTINGS_EXIT } from '#lib/base/wrong-settings.ts';
import { atEnd, end, endNode, isEnding, spawnNode } from '../lifetime.ts';
import { SERVER_FLAGS } from '../node-flags.ts';
import { createBackOff } from './back-off.ts';

/** A little more than the server gives its own requests and the jobs that it was asked for to finish. */
const DRAIN_LIMIT_MS = 35_000;

export type KeptServer = {
  /** For settings that have changed since it was started. */
  restart(): void;
};

/** Runs server.ts, again whenever it ends, unless it says that only other settings would help. Resolves when it serves for the first time. */
export async function keepServer(): Promise<KeptServer> {
  const backOff = createBackOff();
  const served = Promise.withResolvers<void>();
  let child: ChildProcess | undefined;
  atEnd(() => (child ? endNode(child, DRAIN_LIMIT_MS) : undefined));
  start('');
  await served.promise;
  return { restart: () => child?.kill('SIGTERM') };

  function start(again: string): void {
    if (isEnding()) return;
    const started = spawnNode([...SERVER_FLAGS, 'server.ts']);
    let since: number | undefined;
    child = started;
    started.once('message', () => {
      since = performance.now();
      if (again) console.log('✓ The server serves again.');
      served.resolve();
    });
    started.once('exit', (code, signal) => {
      if (isEnding()) return;
      if (code === WRONG_SETTINGS_EXIT) return void end(code);
      const pause = backOff.next(since === undefined ? 0 : performance.now() - since);
      console.error(`✗ The server ended (${signal ?? `exit code ${code}`}); started again in ${pause / 1000} s.`);
      setTimeout(start, pause, 'again');
    });
  }
}
