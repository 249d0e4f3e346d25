import type { Issue } from '#lib/base/errors.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import type { Finding } from '#lib/protocol/fhir/validate/check-context.ts';
import { judgeResource } from '#lib/protocol/fhir/validate/validate.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { claimedFindings, findingsOf } from './claimed.ts';
import { findDangling } from './find-dangling.ts';
import { findFaults } from './find-faults.ts';
import { newBudget } from './hold-against.ts';

/**
 * Everything there is to say of a resource: why it could not be stored at all, or else what it goes against, also what is only a warning.
 * `profiles`: what it is to be held against besides those that it claims.
 */
export async function judge(
  ctx: Ctx,
  type: string,
  resource: unknown,
  profiles: readonly string[],
): Promise<{ issues: Issue[]; findings: Finding[] }> {
  if (resource === undefined) return { issues: [], findings: [] };
  const actor = requireActor(ctx);
  const judged = judgeResource(resource, type);
  if (judged.issues.length > 0) return { issues: judged.issues, findings: [] };
  const sound = resource as Resource;
  const findings = await findFaults(actor, sound, judged);
  if (actor.checksReferences) {
    const dangling = await findDangling(actor, sound, { q: ctx.write?.tx });
    findings.push(...dangling.map((issue) => ({ ...issue, severity: 'error' as const })));
  }
  const budget = newBudget(sound, true);
  findings.push(...(await claimedFindings(ctx, actor.projectId, sound, budget)));
  for (const profile of profiles) {
    findings.push(
      ...(await findingsOf(ctx, actor.projectId, sound, profile, { expression: 'profile', severity: 'error', budget })),
    );
  }
  const keys = findings.map(({ severity, text, expression }) => [severity, text, expression].join('\n'));
  return { issues: [], findings: findings.filter((_, index) => keys.indexOf(keys[index] ?? '') === index) };
}
