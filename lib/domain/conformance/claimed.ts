import { takeTurns } from '#lib/base/turns.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import type { Finding } from '#lib/protocol/fhir/validate/check-context.ts';
import { profileIssue } from '#lib/protocol/fhir/validate/profile-issue.ts';
import type { Ctx } from '../access/context.ts';
import { type Budget, holdAgainst } from './hold-against.ts';
import { loadProfiles } from './load-profiles.ts';
import { seesProfile } from './sees-profile.ts';

const MAX_CLAIMS = 20;
/** More help nobody. */
const MOST_FINDINGS = 1000;
/** Bundles within Bundles; what is deeper claims nothing that is looked at. */
const MAX_DEPTH = 5;

/** A resource with claims, and where it stands: `Bundle.entry[3].resource`. */
type Claimant = { resource: Resource; at: string; claims: unknown[] };

/**
 * What stands against the profiles that a resource claims to conform to, and those that it contains or, as a Bundle, carries. One that the project
 * does not know is a warning. One without claims costs nothing.
 */
export async function claimedFindings(
  ctx: Ctx,
  projectId: string,
  resource: Resource,
  budget: Budget,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const turn = takeTurns();
  for (const claimant of claimantsIn(resource, resource.resourceType, 0)) {
    await turn();
    if (findings.length >= MOST_FINDINGS) break;
    findings.push(...(await findingsOfOne(ctx, projectId, claimant, budget)));
  }
  return findings;
}

async function findingsOfOne(
  ctx: Ctx,
  projectId: string,
  { resource, at, claims }: Claimant,
  budget: Budget,
): Promise<Finding[]> {
  const { resourceType: type } = resource;
  const profiles = claims.filter((claim) => typeof claim === 'string');
  if (profiles.length > MAX_CLAIMS) {
    const text = `A resource claims at most ${MAX_CLAIMS} profiles`;
    return [{ severity: 'error', code: 'too-costly', text, expression: `${at}.meta.profile` }];
  }
  const findings: Finding[] = [];
  for (const [index, claim] of profiles.entries()) {
    const expression = `${type}.meta.profile[${index}]`;
    findings.push(...(await findingsOf(ctx, projectId, resource, claim, { expression, severity: 'warning', budget })));
  }
  return findings.map((finding) => ({
    ...finding,
    expression: `${at}${finding.expression?.slice(type.length) ?? ''}`,
  }));
}

type Holder = { contained?: Resource[]; entry?: { resource?: Resource }[]; meta?: { profile?: unknown[] } };

function* claimantsIn(resource: Resource, at: string, depth: number): Generator<Claimant> {
  const { meta, contained = [], entry = [] } = resource as Holder;
  if (meta?.profile && meta.profile.length > 0) yield { resource, at, claims: meta.profile };
  if (depth === MAX_DEPTH) return;
  for (const [index, inner] of contained.entries()) yield* claimantsIn(inner, `${at}.contained[${index}]`, depth + 1);
  if (resource.resourceType !== 'Bundle') return;
  for (const [index, { resource: inner }] of entry.entries())
    if (inner) yield* claimantsIn(inner, `${at}.entry[${index}].resource`, depth + 1);
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
  if (!known || (budget.advises && !(await seesProfile(ctx, canonical))))
    return [{ ...issue, severity: unknown.severity }];
  const profile = known.profiles.get(canonical);
  if (profile) return holdAgainst(ctx, resource, profile, known, budget);
  const text = `Not checked against ${canonical.slice(0, 200)}: it is malformed, too large, or derived from what is not known here`;
  return [{ ...issue, text, severity: unknown.severity }];
}
