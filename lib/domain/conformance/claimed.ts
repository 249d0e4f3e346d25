import type { Resource } from '#lib/protocol/fhir/types.ts';
import type { Finding } from '#lib/protocol/fhir/validate/check-context.ts';
import { profileIssue } from '#lib/protocol/fhir/validate/profile-issue.ts';
import type { Ctx } from '../access/context.ts';
import { type Budget, holdAgainst } from './hold-against.ts';
import { loadProfiles } from './load-profiles.ts';

const MAX_CLAIMS = 20;

/** What stands against the profiles that a resource claims to conform to. One that the project does not know is a warning. */
export async function claimedFindings(
  ctx: Ctx,
  projectId: string,
  resource: Resource,
  budget: Budget,
): Promise<Finding[]> {
  const { profile = [] } = (resource.meta ?? {}) as { profile?: unknown[] };
  const claims = profile.filter((claim) => typeof claim === 'string');
  if (claims.length > MAX_CLAIMS) {
    const expression = `${resource.resourceType}.meta.profile`;
    return [
      { severity: 'error', code: 'too-costly', text: `A resource claims at most ${MAX_CLAIMS} profiles`, expression },
    ];
  }
  const findings: Finding[] = [];
  for (const [index, claim] of claims.entries()) {
    const expression = `${resource.resourceType}.meta.profile[${index}]`;
    findings.push(...(await findingsOf(ctx, projectId, resource, claim, { expression, severity: 'warning', budget })));
  }
  return findings;
}

/** What stands against one profile. `unknown`: how it is told that there is none such, and where it was asked for. */
export async function findingsOf(
  ctx: Ctx,
  projectId: string,
  resource: Resource,
  canonical: string,
  { budget, ...unknown }: { expression: string; severity: Finding['severity']; budget: Budget },
): Promise<Finding[]> {
  const { resourceType: type } = resource;
  const issue = profileIssue(type, canonical, unknown.expression);
  if (issue?.code !== 'not-supported') return issue ? [{ ...issue, severity: unknown.severity }] : [];
  const known = await loadProfiles(ctx, projectId, canonical);
  if (!known) return [{ ...issue, severity: unknown.severity }];
  const profile = known.profiles.get(canonical);
  if (profile) return holdAgainst(projectId, resource, profile, known, budget);
  const text = `Not checked against ${canonical.slice(0, 200)}: it is malformed, too large, or derived from what is not known here`;
  return [{ ...issue, text, severity: unknown.severity }];
}
