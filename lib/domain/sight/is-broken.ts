import type { AccessPolicy, ProjectMembership, Stored } from '#lib/protocol/fhir/types.ts';
import { isTooHeavy } from '../access/access-weight.ts';
import { withoutGlassEntries } from '../access/glass.ts';
import { lineageOf } from '../access/lineage.ts';
import { policiesOf } from '../access/policies-of.ts';

/**
 * Whether nobody comes in by this membership until its access is mended: a policy that it names, or that such a one is based on, is not there, or its rules
 * come to too much. Of what it has in an emergency that alone gives nothing then.
 */
export function isBroken(membership: ProjectMembership, policies: ReadonlyMap<string, AccessPolicy>): boolean {
  const lasting = withoutGlassEntries(membership);
  return policiesOf(lasting).some((name) => !lineageOf(name, policies)) || isTooHeavy(lasting, policies);
}

/** As what such a membership is taken until then: it reaches nothing, as one whose policy has no rules. */
export function closed(membership: Stored<ProjectMembership>): Stored<ProjectMembership> {
  return { ...membership, admin: false, access: undefined, accessPolicy: { reference: '' } };
}
