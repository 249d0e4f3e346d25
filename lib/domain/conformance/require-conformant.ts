import { AppError } from '#lib/base/errors.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import type { Finding } from '#lib/protocol/fhir/validate/check-context.ts';
import type { Judged } from '#lib/protocol/fhir/validate/validate.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { claimedFindings } from './claimed.ts';
import { findDangling } from './find-dangling.ts';
import { findFaults } from './find-faults.ts';
import { newBudget } from './hold-against.ts';

/**
 * What lies beyond structure. Throws 400 with each reference to what is not there, where the project wants them checked. Where it is strict: 400
 * with each invariant that a resource goes against, and 422 with what stands against the profiles of the project that it claims. A sound one of
 * the common types that claims none costs no statement. `id`: under which it is stored, where its writer says so.
 */
export async function requireConformant(ctx: Ctx, resource: Resource, judged: Judged, id?: string): Promise<void> {
  const actor = requireActor(ctx);
  if (ctx.referring) ctx.referring(resource);
  else if (actor.checksReferences) {
    const issues = await findDangling(actor, resource, { id, q: ctx.write?.tx });
    if (issues.length > 0) throw new AppError('invalid', 'The resource refers to what is not there', { issues });
  }
  if (!actor.strict) return;
  const invariants = errorsOf(judged.pending.length > 0 ? await findFaults(actor, resource, judged) : judged.findings);
  if (invariants.length > 0) throw new AppError('structure', 'Invalid resource', { issues: invariants });
  const issues = errorsOf(await claimedFindings(ctx, actor.projectId, resource, newBudget(resource, false)));
  if (issues.length > 0) throw new AppError('business-rule', 'The resource goes against its profile', { issues });
}

/** An issue has no severity of its own: what is refused is an error. */
function errorsOf(findings: Finding[]): Omit<Finding, 'severity'>[] {
  return findings.filter(({ severity }) => severity === 'error').map(({ severity: _, ...issue }) => issue);
}
