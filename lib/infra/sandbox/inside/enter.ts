import type { BotSession } from '../host/run-job.ts';
import { callBridge, settleCall } from './bridge.ts';
import { loadClient } from './client/load-client.ts';
import { describeError } from './describe-error.ts';
import { installGlobals, ownProcess, removeGlobals } from './globals.ts';
import { type Host, setHost, setTell, type Tell, tell } from './host.ts';
import { loadExtras } from './load-extras.ts';
import { loadNode } from './load-node.ts';
import { createMedplum } from './medplum.ts';
import { parse, toText } from './primordials.ts';
import { fireTimer } from './timers.ts';
import { toResult } from './to-result.ts';

const FAILED = Symbol('failed');

type BotModule = { exports: { handler?: unknown } };
type LoadBot = (module: BotModule, exports: unknown, library: Library, require: (name: unknown) => unknown) => void;
type Library = (name?: string) => unknown;

// The prelude's variable (prelude.ts).
// biome-ignore lint/style/useConst: it is assigned to, once
declare let __enter: typeof enter;
// Whether the snapshot has `@medplum/core` (prelude.ts).
declare const __snapshotCore: object | undefined;
__enter = enter;

/** Every way into a bot's context. The process calls nothing else, and reads nothing that the bot made except through `host`. */
export function enter(kind: 'start', ...args: Parameters<typeof start>): void;
export function enter(kind: 'reply', callId: number, ok: boolean, value: string | undefined): void;
export function enter(kind: 'timer', timerId: number): void;
export function enter(kind: string, a: unknown, b?: unknown, c?: unknown, d?: unknown, e?: unknown, f?: unknown): void {
  try {
    if (kind === 'start') start(a as Host, b as Tell, c as LoadBot, d as string, e as string, f as string);
    else if (kind === 'reply') settleCall(a as number, b as boolean, c as string | undefined);
    else fireTimer(a as number);
  } catch (error) {
    fail('threw', error);
  }
}

// While the snapshot is made: every context comes with them.
installGlobals();

function start(host: Host, tell: Tell, load: LoadBot, event: string, inputKind: string, input: string): void {
  setHost(host);
  setTell(tell);
  removeGlobals();
  const handler = loadHandler(load);
  if (typeof handler === 'function') void run(handler, event, inputKind, input);
  else if (handler !== FAILED) fail('no-handler', new Error('The bot does not export a function named handler'));
}

function loadHandler(load: LoadBot): unknown {
  const module: BotModule = { exports: {} };
  try {
    load(
      module,
      module.exports,
      (name) => (name === undefined ? loadClient(callBridge).loadCore() : loadNode(ownProcess())(name)),
      requireAtRun,
    );
    return module.exports?.handler;
  } catch (error) {
    fail('load-error', error);
    return FAILED;
  }
}

/** For CommonJS that asks for a module while it runs; what it says with a name of it is in the bundle. */
function requireAtRun(name: unknown): unknown {
  return loadNode(ownProcess())(toText(name).replace(/^node:/, ''));
}

async function run(handler: unknown, event: string, inputKind: string, input: string): Promise<void> {
  let value: unknown;
  try {
    const { session, ...given } = parse(event) as { session: BotSession };
    const medplum = createMedplum(session, __snapshotCore !== undefined);
    value = await (handler as (...args: unknown[]) => unknown)(medplum, { ...given, input: toInput(inputKind, input) });
  } catch (error) {
    fail('threw', error);
    return;
  }
  try {
    const result = toResult(value);
    tell('done', result.kind, result.text);
  } catch (error) {
    fail('unserializable', error);
  }
}

function toInput(kind: string, text: string): unknown {
  if (kind === 'undefined') return undefined;
  if (kind === 'json') return parse(text);
  return kind === 'hl7' ? hl7Message().parse(text) : text;
}

/** Of the class that the bot can import, if it does. */
function hl7Message(): { parse(text: string): object } {
  return __snapshotCore ? loadClient(callBridge).loadCore().Hl7Message : loadExtras().Hl7Message;
}

function fail(reason: string, error: unknown): void {
  const { message, stack, outcome } = describeError(error);
  tell('failed', reason, message, stack, outcome);
}
