import { mapStack } from './map-stack.ts';
import type { RunFailure, RunSuccess, RunValue } from './run-job.ts';
import type { FailureDetail, FailureReason, ValueKind } from './wire.ts';

/** The runner's texts as a result. The process that sent them ran foreign code: nothing in them is taken on trust. */
export function toSuccess(kind: ValueKind, text: string): RunSuccess | RunFailure {
  try {
    return { ok: true, value: toValue(kind, text) };
  } catch {
    return { ok: false, reason: 'unserializable', message: 'The result cannot be read' };
  }
}

export function toFailure(reason: FailureReason, detail: FailureDetail, sourceMap: string | undefined): RunFailure {
  const stack = detail.stack && mapStack(detail.stack, sourceMap);
  const outcome = detail.outcome === undefined ? undefined : parseOutcome(detail.outcome);
  return { ok: false, reason, message: detail.message, ...(stack && { stack }), ...(outcome && { outcome }) };
}

function toValue(kind: ValueKind, text: string): RunValue {
  switch (kind) {
    case 'undefined':
    case 'null':
      return { kind };
    case 'json':
      return { kind, value: JSON.parse(text) };
    case 'number':
      return { kind, value: Number(text) };
    case 'boolean':
      return { kind, value: text === 'true' };
    case 'string':
    case 'hl7':
      return { kind, value: text };
    default:
      throw new Error('Unknown kind of result');
  }
}

function parseOutcome(text: string): Record<string, unknown> | undefined {
  try {
    const outcome = JSON.parse(text);
    return outcome?.resourceType === 'OperationOutcome' && Array.isArray(outcome.issue) ? outcome : undefined;
  } catch {
    return undefined;
  }
}
