import { SANDBOX_LIMITS } from '../host/limits.ts';
import type { FailureDetail } from '../host/wire.ts';
import { jsonShape } from './json-shape.ts';
import type { StackMap } from './map-stack.ts';
import { fitsOutcome, isValidOutcome } from './valid-outcome.ts';

/** What the prelude makes of what was thrown; `outcome` is JSON that says of itself that it is an OperationOutcome. */
export type Thrown = { message: string; stack?: string; outcome?: string };

/** A failure as it leaves the process: the stack in lines of the source, the outcome only when it is a valid one. */
export function describeFailure({ message, stack, outcome }: Thrown, stackMap: StackMap): FailureDetail {
  return {
    message,
    ...(stack && { stack: stackMap.ofFailure(stack) }),
    ...(outcome !== undefined && isAnswer(outcome) && { outcome }),
  };
}

function isAnswer(outcome: string): boolean {
  if (!fitsOutcome(outcome) || jsonShape(outcome).depth > SANDBOX_LIMITS.jsonDepth) return false;
  try {
    return isValidOutcome(JSON.parse(outcome));
  } catch {
    return false;
  }
}
