import cluster, { type Worker } from 'node:cluster';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RETIRE } from '#lib/base/retire.ts';
import { WRONG_SETTINGS_EXIT } from '#lib/base/wrong-settings.ts';
import { atEnd, end, endNode, isEnding } from '../lifetime.ts';
import { SERVER_FLAGS, SIBLING_FLAGS } from '../node-flags.ts';
import { type BackOff, createBackOff } from './back-off.ts';
import { dealAnew } from './deal-anew.ts';

/** A little more than the server gives its own requests and the jobs that it was asked for to finish. */
const DRAIN_LIMIT_MS = 35_000;

export type KeptServers = {
  /** In each place a new process comes, and when it serves the old one is drained. One place after the other, unless `atOnce`. */
  replace(options?: { atOnce?: boolean }): Promise<void>;
};

/** `current`: who is to serve there. Beside it there may be its successor, which starts, or its predecessor, which drains. */
type Place = {
  number: number;
  name: string;
  backOff: BackOff;
  /** For the first time. */
  served: PromiseWithResolvers<void>;
  current?: Worker;
};

/**
 * Runs server.ts in so many processes on one port, each again whenever it ends, unless it says that only other settings would help. Resolves
 * when all of them serve for the first time. Connections come in here and are dealt out in turn (node:cluster). With SO_REUSEPORT those that
 * wait at a process which goes would be reset, and the few of a balancer be spread by the chance of a hash.
 */
export async function keepServers(processes: number): Promise<KeptServers> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-'));
  const alive = new Set<Worker>();
  /** Of these, those that are given connections. */
  const serving = new Set<Worker>();
  let replacing = Promise.resolve();
  const places = Array.from({ length: processes }, (_, at): Place => {
    const name = processes === 1 ? 'The server' : `Server process ${at + 1}`;
    return { number: at + 1, name, backOff: createBackOff(), served: Promise.withResolvers() };
  });
  atEnd(async () => {
    await Promise.all([...alive].map((worker) => endNode(worker.process, DRAIN_LIMIT_MS)));
    rmSync(folder, { recursive: true, force: true });
  });
  cluster.setupPrimary({
    exec: 'server.ts',
    args: [],
    execArgv: processes === 1 ? SERVER_FLAGS : SIBLING_FLAGS,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  for (const place of places) keep(place);
  await Promise.all(places.map(({ served }) => served.promise));
  return {
    replace({ atOnce = false } = {}) {
      replacing = replacing.then(async () => {
        if (atOnce) await Promise.all(places.map(replaceIn));
        else for (const place of places) await replaceIn(place);
      });
      return replacing;
    },
  };

  function keep(place: Place): void {
    if (isEnding() || place.current?.isDead() === false) return;
    const isAgain = place.current !== undefined;
    const { worker, serves } = start(place);
    place.current = worker;
    void serves.then((does) => {
      if (!does) return;
      if (isAgain) console.log(`✓ ${place.name} serves again.`);
      place.served.resolve();
    });
  }

  function start(place: Place): { worker: Worker; serves: Promise<boolean> } {
    const worker = cluster.fork({ GATEHOUSE_PROCESS: String(place.number), GATEHOUSE_SOCKETS: folder });
    const { promise: serves, resolve } = Promise.withResolvers<boolean>();
    let since = Number.POSITIVE_INFINITY;
    alive.add(worker);
    worker.once('exit', () => serving.delete(worker));
    dealAnew(worker, () => serving.size > 0);
    worker.once('message', () => {
      serving.add(worker);
      since = performance.now();
      resolve(true);
    });
    worker.once('exit', (code: number, signal: string) => {
      alive.delete(worker);
      resolve(false);
      if (isEnding() || place.current !== worker) return;
      if (code === WRONG_SETTINGS_EXIT) return void end(code);
      const pause = place.backOff.next(Math.max(0, performance.now() - since));
      console.error(`✗ ${place.name} ended (${signal || `exit code ${code}`}); started again in ${pause / 1000} s.`);
      setTimeout(keep, pause, place);
    });
    return { worker, serves };
  }

  async function replaceIn(place: Place): Promise<void> {
    if (isEnding()) return;
    const { worker, serves } = start(place);
    if (!(await serves)) {
      if (!isEnding()) console.error(`✗ ${place.name} was not replaced: what was to come does not start.`);
      return;
    }
    const old = place.current;
    place.current = worker;
    if (old) serving.delete(old);
    if (old) await endNode(old.process, DRAIN_LIMIT_MS, () => old.send(RETIRE));
    if (!isEnding()) console.log(`✓ ${place.name} was replaced.`);
  }
}
