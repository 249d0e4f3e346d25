import { SANDBOX_LIMITS } from '../host/limits.ts';
import { tooCostly } from '../wire/too-costly.ts';
import { tell } from './host.ts';
import { loadedExtras } from './load-extras.ts';
import { OperationOutcomeError, type ThrownOutcome } from './outcome-error.ts';
import { NewPromise, parse, toText } from './primordials.ts';
import { toJson } from './to-json.ts';

type Call = { resolve: (value: unknown) => void; reject: (error: unknown) => void; size: number };

const { callBytes, pendingCallBytes, pendingCalls } = SANDBOX_LIMITS;
const pending: { [id: number]: Call } = Object.create(null);
let calls = 0;
let size = 0;
let lastCall = 0;

/** One call over the bridge, by copy; `begun` hears its id, by which it can be given up. Rejects with the OperationOutcomeError of what the other side says, and of what is too much. */
export async function callBridge(method: string, args: unknown[], begun?: (callId: number) => void): Promise<unknown> {
  for (let index = 0; index < args.length; index += 1) args[index] = toPlain(args[index]);
  const text = toJson(args);
  if (text.length > callBytes) throw tooMuch(`${method}: more than 6 MiB`);
  if (calls >= pendingCalls) throw tooMuch(`${method}: more than ${pendingCalls} calls at once`);
  if (size + text.length > pendingCallBytes) throw tooMuch(`${method}: more than 16 MiB in calls at once`);
  lastCall += 1;
  const id = lastCall;
  return new NewPromise((resolve, reject) => {
    pending[id] = { resolve, reject, size: text.length };
    calls += 1;
    size += text.length;
    tell('call', id, method, text);
    begun?.(id);
  });
}

export function settleCall(id: number, ok: boolean, value: string | undefined): void {
  const waiting = pending[id];
  if (!waiting) return;
  delete pending[id];
  calls -= 1;
  size -= waiting.size;
  const result = value === undefined ? undefined : parse(value);
  if (ok) waiting.resolve(result);
  else waiting.reject(new OperationOutcomeError(result as ThrownOutcome));
}

function tooMuch(text: string): OperationOutcomeError {
  return new OperationOutcomeError(tooCostly(text));
}

// Search parameters have no JSON form of their own.
function toPlain(value: unknown): unknown {
  const URLSearchParams = loadedExtras()?.globals.URLSearchParams;
  return URLSearchParams && value instanceof URLSearchParams ? toText(value) : value;
}
