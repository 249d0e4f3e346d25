import { readGlassTerms } from '#lib/protocol/break-glass/settings.ts';
import { isInTime, toEntryDates } from '#lib/protocol/fhir/identity/membership-dates.ts';
import type { Project, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { grantOf } from '../../access/glass.ts';
import { policiesOf } from '../../access/policies-of.ts';

/** For how long this member may have emergency access: a person who has one of the policies that the project says, just now. Undefined: not at all. */
export function glassMinutesOf({ setting = [] }: Project, membership: ProjectMembership): number | undefined {
  if (!membership.user?.reference?.startsWith('User/')) return undefined;
  const terms = readGlassTerms(setting);
  if (!terms) return undefined;
  const { accessPolicy, access = [] } = membership;
  // Nor does what an emergency gave make for another one.
  const lasting = access.filter((entry) => grantOf(entry) === undefined && isInTime(toEntryDates(entry)));
  const held = policiesOf({ accessPolicy, access: lasting });
  return terms.holders.some((one) => held.includes(one)) ? terms.minutes : undefined;
}
