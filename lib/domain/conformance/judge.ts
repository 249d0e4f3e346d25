import type { Issue } from '#lib/base/errors.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import type { Finding } from '#lib/protocol/fhir/validate/check-context.ts';
import { judgeResource } from '#lib/protocol/fhir/validate/validate.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { findFaults } from './find-faults.ts';

/** Everything there is to say of a resource: why it could not be stored at all, or else what it goes against, also what is only a warning. */
export async function judge(
  ctx: Ctx,
  type: string,
  resource: unknown,
): Promise<{ issues: Issue[]; findings: Finding[] }> {
  if (resource === undefined) return { issues: [], findings: [] };
  const judged = judgeResource(resource, type);
  if (judged.issues.length > 0) return { issues: judged.issues, findings: [] };
  return { issues: [], findings: await findFaults(requireActor(ctx), resource as Resource, judged) };
}
