import { CALL_METHODS, SANDBOX_LIMITS } from '../host/limits.ts';
import { BOT_FAILURES, type BotFailure, LOG_LEVELS, type LogLevel, VALUE_KINDS, type ValueKind } from '../host/wire.ts';
import type { Thrown } from './describe-failure.ts';
import { platform } from './platform.ts';
import { type Argument, Breach, count, oneOf, text } from './untrusted.ts';

export type HostActions = {
  log(level: LogLevel, text: string): boolean;
  call(callId: number, method: string, args: string): void;
  /** Nobody waits for its answer any more. */
  abort(callId: number): void;
  done(kind: ValueKind, text: string): void;
  failed(reason: BotFailure, thrown: Thrown): void;
  startTimer(timerId: number, delayMs: number): void;
  clearTimer(timerId: number): void;
  /** The script of `@medplum/core`. */
  core: string;
  /** The bot speaks past its prelude: its run ends. */
  breach(): void;
};

type Operations = { [op: string]: ((...args: Argument[]) => unknown) | null };
type Way = (op: Argument, ...args: Argument[]) => unknown;

export type Host = {
  /** What it asks, and waits for the answer. */
  host: Way;
  /** What it says, and goes on. */
  tell: Way;
};

/**
 * The process's side of a bot's `host` and `tell` (inside/host.ts). The caller is not to be trusted, since a bot can change whatever its context
 * stands on: kinds and sizes are looked at here, before anything is copied on. What the prelude would never send ends the run.
 */
export function createHost(actions: HostActions): Host {
  // `__proto__: null`: the name of an operation comes from the bot.
  const asked: Operations = {
    __proto__: null,
    // Lines are cut where they are counted.
    log: (level, line) => actions.log(oneOf(LOG_LEVELS, level), text(line, SANDBOX_LIMITS.logBytes + 1)),
    abort: (callId) => actions.abort(count(callId)),
    timer: (timerId, delayMs) => actions.startTimer(count(timerId), count(delayMs)),
    clear: (timerId) => actions.clearTimer(count(timerId)),
    core: () => actions.core,
    ...platform,
  };
  const told: Operations = {
    __proto__: null,
    call: (callId, method, args) =>
      actions.call(count(callId), oneOf(CALL_METHODS, method), text(args, SANDBOX_LIMITS.callBytes)),
    done: (kind, value) => actions.done(oneOf(VALUE_KINDS, kind), text(value, SANDBOX_LIMITS.resultBytes)),
    failed: (reason, message, stack, outcome) =>
      actions.failed(oneOf(BOT_FAILURES, reason), {
        message: text(message, SANDBOX_LIMITS.errorCharacters + 1),
        stack: stack === undefined ? undefined : text(stack, SANDBOX_LIMITS.errorCharacters + 1),
        outcome: outcome === undefined ? undefined : text(outcome, SANDBOX_LIMITS.outcomeBytes),
      }),
  };
  return { host: wayTo(asked), tell: wayTo(told) };

  function wayTo(operations: Operations): Way {
    return (op, ...args) => {
      try {
        const operation = typeof op === 'string' ? operations[op] : undefined;
        if (!operation) throw new Breach();
        return operation(...args);
      } catch (error) {
        if (!(error instanceof Breach)) throw error;
        return actions.breach();
      }
    };
  }
}
