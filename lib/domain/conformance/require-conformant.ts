import { AppError } from '#lib/base/errors.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import type { Judged } from '#lib/protocol/fhir/validate/validate.ts';
import type { Actor } from '../access/context.ts';
import { findFaults } from './find-faults.ts';

/**
 * What lies beyond structure. Throws 400 with each invariant that a resource goes against, where the project is strict. A sound one of the
 * common types costs no statement and no turn of the event loop.
 */
export async function requireConformant(actor: Actor, resource: Resource, judged: Judged): Promise<void> {
  if (!actor.strict) return;
  const findings = judged.pending.length > 0 ? await findFaults(actor, resource, judged) : judged.findings;
  const issues = findings.filter(({ severity }) => severity === 'error');
  if (issues.length > 0) throw new AppError('structure', 'Invalid resource', { issues });
}
