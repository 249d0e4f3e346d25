import { SANDBOX_LIMITS } from '../host/limits.ts';
import { jsonShape } from './json-shape.ts';
import { Breach } from './untrusted.ts';

export type RunCalls = {
  /** Notes a call that is sent on; false when its arguments are more than the server takes. */
  begin(callId: number, args: string): boolean;
  /** True once for each call that waits: its end is sent on. */
  giveUp(callId: number): boolean;
  end(callId: number): void;
};

/** The calls of one run that wait for their answer. The prelude counts, too: who comes past its counts is in breach. */
export function createRunCalls(): RunCalls {
  const pending = new Map<number, number>();
  let pendingBytes = 0;
  const givenUp = new Set<number>();
  return { begin, giveUp, end };

  function begin(callId: number, args: string): boolean {
    const size = args.length;
    if (pending.has(callId) || pending.size >= SANDBOX_LIMITS.pendingCalls) throw new Breach();
    if (pendingBytes + size > SANDBOX_LIMITS.pendingCallBytes) throw new Breach();
    if (Buffer.byteLength(args) > SANDBOX_LIMITS.callBytes) return false;
    const { depth, values } = jsonShape(args);
    if (depth > SANDBOX_LIMITS.jsonDepth || values > SANDBOX_LIMITS.callValues) return false;
    pending.set(callId, size);
    pendingBytes += size;
    return true;
  }

  function giveUp(callId: number): boolean {
    if (!pending.has(callId) || givenUp.has(callId)) return false;
    givenUp.add(callId);
    return true;
  }

  function end(callId: number): void {
    givenUp.delete(callId);
    pendingBytes -= pending.get(callId) ?? 0;
    pending.delete(callId);
  }
}
