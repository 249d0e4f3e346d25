import { SANDBOX_LIMITS } from '../host/limits.ts';
import { tooCostly } from '../wire/too-costly.ts';
import { tell } from './host.ts';
import { loadedExtras } from './load-extras.ts';
import { OperationOutcomeError, type ThrownOutcome } from './outcome-error.ts';
import { NewPromise, parse, toText } from './primordials.ts';
import { toJson } from './to-json.ts';

type Call = { resolve: (value: unknown) => void; reject: (error: unknown) => void; size: number };

const { callBytes, pendingCallBytes, pendingCalls, waitingCallBytes, waitingCalls } = SANDBOX_LIMITS;
const pending: { [id: number]: Call } = Object.create(null);
let calls = 0;
let size = 0;
let lastCall = 0;
/** Calls for which there is no room yet, by their numbers: those from the first to before the next. */
const waiting: { [number: number]: { text: string; begin: () => void } } = Object.create(null);
let firstWaiting = 0;
let nextWaiting = 0;
let waitingSize = 0;

/** One call over the bridge, by copy; `begun` hears its id, by which it can be given up. More than the process takes at once wait. Rejects with the OperationOutcomeError of what the other side says, and of what is too much. */
export async function callBridge(method: string, args: unknown[], begun?: (callId: number) => void): Promise<unknown> {
  for (let index = 0; index < args.length; index += 1) args[index] = toPlain(args[index]);
  const text = toJson(args);
  if (text.length > callBytes) throw tooMuch(`${method}: more than 6 MiB`);
  if (firstWaiting === nextWaiting && hasRoom(text)) take(text);
  else await turn(method, text);
  lastCall += 1;
  const id = lastCall;
  return new NewPromise((resolve, reject) => {
    pending[id] = { resolve, reject, size: text.length };
    tell('call', id, method, text);
    begun?.(id);
  });
}

export function settleCall(id: number, ok: boolean, value: string | undefined): void {
  const call = pending[id];
  if (!call) return;
  delete pending[id];
  calls -= 1;
  size -= call.size;
  beginNext();
  const result = value === undefined ? undefined : parse(value);
  if (ok) call.resolve(result);
  else call.reject(new OperationOutcomeError(result as ThrownOutcome));
}

function turn(method: string, text: string): Promise<void> {
  if (nextWaiting - firstWaiting >= waitingCalls) throw tooMuch(`${method}: more than ${waitingCalls} calls wait`);
  if (waitingSize + text.length > waitingCallBytes) throw tooMuch(`${method}: more than 16 MiB of calls wait`);
  waitingSize += text.length;
  return new NewPromise((begin) => {
    waiting[nextWaiting] = { text, begin };
    nextWaiting += 1;
  });
}

/** In the order in which they were asked for. */
function beginNext(): void {
  for (let next = waiting[firstWaiting]; next && hasRoom(next.text); next = waiting[firstWaiting]) {
    delete waiting[firstWaiting];
    firstWaiting += 1;
    waitingSize -= next.text.length;
    take(next.text);
    next.begin();
  }
}

function hasRoom(text: string): boolean {
  return calls < pendingCalls && size + text.length <= pendingCallBytes;
}

function take(text: string): void {
  calls += 1;
  size += text.length;
}

function tooMuch(text: string): OperationOutcomeError {
  return new OperationOutcomeError(tooCostly(text));
}

// Search parameters have no JSON form of their own.
function toPlain(value: unknown): unknown {
  const URLSearchParams = loadedExtras()?.globals.URLSearchParams;
  return URLSearchParams && value instanceof URLSearchParams ? toText(value) : value;
}
