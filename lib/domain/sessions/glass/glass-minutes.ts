import { readGlassTerms } from '#lib/protocol/break-glass/settings.ts';
import type { Project, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { policiesOf } from '../../access/policies-of.ts';

/** For how long this member may have emergency access: a person who has one of the policies that the project says. Undefined: not at all. */
export function glassMinutesOf({ setting = [] }: Project, membership: ProjectMembership): number | undefined {
  if (!membership.user?.reference?.startsWith('User/')) return undefined;
  const terms = readGlassTerms(setting);
  if (!terms) return undefined;
  const held = policiesOf(membership);
  return terms.holders.some((one) => held.includes(one)) ? terms.minutes : undefined;
}
