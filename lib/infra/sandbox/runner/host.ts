import { randomBytes, randomUUID } from 'node:crypto';
import type { FailureDetail, FailureReason, LogLevel, ValueKind } from '../host/wire.ts';

// `__proto__: null`: the name of an operation comes from the bot.
type Operations = { [op: string]: ((...args: Argument[]) => unknown) | null };

export type HostActions = {
  log(level: LogLevel, text: string): boolean;
  call(callId: number, method: string, args: string): void;
  done(kind: ValueKind, text: string): void;
  failed(reason: FailureReason, detail: FailureDetail): void;
  startTimer(timerId: number, delayMs: number): void;
  clearTimer(timerId: number): void;
};

type Argument = string | number | boolean | undefined | Uint8Array;

/**
 * The process's side of a bot's `host` (inside/host.ts). The caller is not to be trusted: arguments are made to be what
 * they should before they are used, and the worst that a forged one can do is to spoil its own run.
 */
export function createHost(actions: HostActions): (op: string, ...args: Argument[]) => unknown {
  const operations: Operations = {
    __proto__: null,
    log: (level, text) => actions.log(String(level) as LogLevel, String(text)),
    call: (callId, method, args) => actions.call(Number(callId), String(method), String(args)),
    done: (kind, text) => actions.done(String(kind) as ValueKind, String(text)),
    failed: (reason, message, stack, outcome) =>
      actions.failed(String(reason) as FailureReason, {
        message: String(message),
        stack: toText(stack),
        outcome: toText(outcome),
      }),
    timer: (timerId, delayMs) => actions.startTimer(Number(timerId), Number(delayMs)),
    clear: (timerId) => actions.clearTimer(Number(timerId)),
    ...platform,
  };
  return (op, ...args) => operations[op]?.(...args);
}

// What the Web offers and V8 alone does not, answered by Node's own.
const platform: Operations = {
  url: (href, base) => urlParts(new URL(String(href), toText(base))),
  'url-set': (href, part, value) => {
    const url = new URL(String(href));
    Reflect.set(url, String(part), String(value));
    return urlParts(url);
  },
  encode: (text) => new TextEncoder().encode(String(text)),
  encoding: (label) => new TextDecoder(String(label)).encoding,
  decode: (bytes, label, fatal, keepBom) =>
    new TextDecoder(String(label), { fatal: fatal === true, ignoreBOM: keepBom === true }).decode(toBytes(bytes)),
  random: (byteLength) => new Uint8Array(randomBytes(Math.min(Number(byteLength), 65_536))),
  atob: (text) => atob(String(text)),
  btoa: (text) => btoa(String(text)),
  uuid: () => randomUUID(),
};

function urlParts(url: URL): string {
  const { href, origin, protocol, username, password, host, hostname, port, pathname, search, hash } = url;
  return JSON.stringify({ href, origin, protocol, username, password, host, hostname, port, pathname, search, hash });
}

function toText(value: Argument): string | undefined {
  return value === undefined ? undefined : String(value);
}

function toBytes(value: Argument): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array();
}
