import type { RunResult } from '#lib/infra/sandbox/host/run-job.ts';
import type { Bot } from '#lib/protocol/fhir/types.ts';
import type { Actor } from '../../access/context.ts';
import { statusOf } from './status-of.ts';

/**
 * Whether a run is told in the audit log, too: where its bot asks for it by `auditEventTrigger` (contract §5.7), or its project keeps who read
 * what. What it changed is told there anyway, and that it ran by its record.
 */
export function isAudited({ auditEventTrigger }: Bot, { auditReads }: Actor, result: RunResult): boolean {
  switch (auditEventTrigger) {
    case 'always':
      return true;
    case 'on-error':
      return statusOf(result) !== 'ok';
    case 'on-output':
      return result.logs.length > 0;
    case 'never':
      return false;
    default:
      return auditReads;
  }
}
