import { BRIDGE_METHODS, SANDBOX_LIMITS } from '../host/limits.ts';
import { host } from './host.ts';
import { loadedExtras } from './load-extras.ts';
import { OperationOutcomeError, type ThrownOutcome } from './outcome-error.ts';

type Call = { resolve: (value: unknown) => void; reject: (error: unknown) => void };

const pending = new Map<number, Call>();
const { parse, stringify } = JSON;
let lastCall = 0;

/** The client that a handler gets: every method is one call to the FHIR API under the bot's own membership, by copy. */
export const medplum: Record<string, (...args: unknown[]) => Promise<unknown>> = Object.fromEntries(
  BRIDGE_METHODS.map((method) => [method, (...args: unknown[]) => call(method, args)]),
);

async function call(method: string, args: unknown[]): Promise<unknown> {
  const text = stringify(args.map(toPlain));
  if (text.length > SANDBOX_LIMITS.callBytes) throw tooMuch(`${method}: more than 6 MiB`);
  if (pending.size >= SANDBOX_LIMITS.pendingCalls)
    throw tooMuch(`${method}: more than ${SANDBOX_LIMITS.pendingCalls} calls at once`);
  lastCall += 1;
  const id = lastCall;
  return new Promise((resolve, reject) => {
    pending.set(id, { resolve, reject });
    host('call', id, method, text);
  });
}

export function settleCall(id: number, ok: boolean, value: string | undefined): void {
  const waiting = pending.get(id);
  pending.delete(id);
  const result = value === undefined ? undefined : parse(value);
  if (ok) waiting?.resolve(result);
  else waiting?.reject(new OperationOutcomeError(result as ThrownOutcome));
}

function tooMuch(text: string): OperationOutcomeError {
  const issue = [{ severity: 'error', code: 'too-costly', details: { text } }];
  return new OperationOutcomeError({ resourceType: 'OperationOutcome', issue });
}

// Search parameters have no JSON form of their own.
function toPlain(value: unknown): unknown {
  const URLSearchParams = loadedExtras()?.globals.URLSearchParams;
  return URLSearchParams && value instanceof URLSearchParams ? value.toString() : value;
}
