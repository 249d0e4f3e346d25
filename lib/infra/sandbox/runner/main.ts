import type { FromRunner, ToRunner } from '../wire.ts';
import { createIsolatePool, type IsolatePool } from './isolate-pool.ts';
import { type Run, startRun } from './run.ts';

type RunMessage = ToRunner & ['run', ...unknown[]];

/**
 * The process that runs bots: no environment, no files, no network of ours; it knows only what the supervisor sends.
 * It leaves when the supervisor does.
 */
const runs = new Map<number, Run>();
let pool: IsolatePool | undefined;
let outbox: FromRunner[] = [];
let starting = 0;
const backlog: RunMessage[] = [];

const MAX_STARTING = 2;
const TURN_MS = 20;

process.on('disconnect', leave);
process.on('message', (messages: ToRunner[]) => {
  for (const message of messages) receive(message);
});

function receive(message: ToRunner): void {
  switch (message[0]) {
    case 'init':
      pool = createIsolatePool(message[1]);
      return post(['ready']);
    case 'load':
      return pool!.load(message[1], message[2]);
    case 'unload':
      return pool!.unload(message[1]);
    case 'run':
      backlog.push(message);
      return startNext();
    case 'reply':
      return runs.get(message[1])?.reply(message[2], message[3], message[4]);
  }
}

// More isolates at work than there are cores to run them only wear out the caches: a run starts when another has come to
// its first await, or has had its share of time.
function startNext(): void {
  while (starting < MAX_STARTING && backlog.length > 0) {
    starting += 1;
    const message = backlog.shift()!;
    const turn = setTimeout(yielded, TURN_MS);
    let hasYielded = false;
    start(message, yielded);

    function yielded(): void {
      if (hasYielded) return;
      hasYielded = true;
      clearTimeout(turn);
      starting -= 1;
      startNext();
    }
  }
}

function start([, id, versionKey, memoryMb, timeoutMs, event, inputKind, input]: RunMessage, onYield: () => void): void {
  const slot = pool!.take(versionKey, memoryMb, () => loseIsolate(id));
  if ('error' in slot) {
    post(['failed', id, 'load-error', { message: slot.error }]);
    return onYield();
  }
  const release = (isReusable: boolean) => {
    runs.delete(id);
    pool!.give(slot, isReusable);
  };
  try {
    runs.set(id, startRun({ id, slot, timeoutMs, event, inputKind, input, post, release, onYield }));
  } catch {
    // The isolate could not even make a context.
    release(false);
    post(['failed', id, 'crashed', { message: 'The isolate could not start the bot' }]);
    onYield();
  }
}

// One write for what one turn of the loop produced.
function post(message: FromRunner): void {
  if (outbox.push(message) === 1) setImmediate(flush);
}

function flush(): void {
  const messages = outbox;
  outbox = [];
  process.send?.(messages);
}

// V8 has given up on an isolate and its thread never comes back: say whose it was, then end the process.
function loseIsolate(runId: number): void {
  process.send?.([['lost', runId] satisfies FromRunner], undefined, undefined, leave);
}

// Not process.exit: that waits for threads, and a bot's thread may be in a loop.
function leave(): void {
  process.kill(process.pid, 'SIGKILL');
}
