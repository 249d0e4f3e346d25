import ivm from 'isolated-vm';
import type { Host } from './host.ts';
import { takeContext } from './make-context.ts';
import type { Slot } from './slot.ts';

export type RunContextOptions = {
  slot: Slot;
  /** The isolate's own end, or a rejection that nobody handled. */
  onError: (error: unknown) => void;
  /** Called whenever the bot has returned to us. */
  onYield: () => void;
  /** Called when a thread goes on after its isolate was disposed: only the end of the process stops it. */
  onStuck: () => void;
  /** Called once, when it is closed and nothing executes any more. */
  onFree: (isReusable: boolean) => void;
};

export type RunContext = {
  /** Starts the bot, whose ways out these are. */
  start(ways: Host, ...args: string[]): void;
  enter(...args: unknown[]): void;
  /** When the bot last got the thread; undefined while it waits. */
  executingSince(): number | undefined;
  /** Nothing enters any more; what executes goes on. */
  close(): void;
  /** Closes it, and disposes of the isolate, which stops its thread wherever it is. */
  stop(): void;
};

// A thread stops within milliseconds, or (in one long built-in) perhaps never.
const STOP_MS = 250;

/** The fresh context of one run in its isolate: who is in it, since when, and when all of it may be freed. */
export function createRunContext({ slot, onError, onYield, onStuck, onFree }: RunContextOptions): RunContext {
  const { context, prelude, bot } = takeContext(slot);
  let executing = 0;
  let since = 0;
  let isClosed = false;
  let stopping: NodeJS.Timeout | undefined;

  return {
    start({ host, tell }, ...args) {
      // Nobody waits for what is told: the bot's thread goes on, and what comes after it is heard after it.
      const ways = [new ivm.Callback(host, { sync: true }), new ivm.Callback(tell, { ignored: true })];
      enter('start', ...ways, bot.derefInto(), ...args);
    },
    enter,
    executingSince: () => (executing > 0 ? since : undefined),
    close,
    stop,
  };

  function enter(...args: unknown[]): void {
    if (isClosed) return;
    if (executing === 0) since = performance.now();
    executing += 1;
    prelude.apply(undefined, args).catch(onError).finally(leave);
  }

  function leave(): void {
    executing -= 1;
    onYield();
    if (isClosed && executing === 0) free();
  }

  function close(): void {
    isClosed = true;
  }

  function stop(): void {
    close();
    if (!slot.isolate.isDisposed) slot.isolate.dispose();
    if (executing === 0) free();
    else stopping = setTimeout(onStuck, STOP_MS);
  }

  function free(): void {
    clearTimeout(stopping);
    if (!slot.isolate.isDisposed) {
      for (const handle of [prelude, bot, context]) handle.release();
    }
    onFree(!slot.isolate.isDisposed);
  }
}
