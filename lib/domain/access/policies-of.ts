import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';

/** The references of all policies that a membership names, in both spellings, each once. */
export function policiesOf({
  accessPolicy,
  access = [],
}: Pick<ProjectMembership, 'accessPolicy' | 'access'>): string[] {
  const all = [accessPolicy?.reference, ...access.map((item) => item.policy?.reference)];
  return [...new Set(all.filter((reference) => reference !== undefined))];
}
