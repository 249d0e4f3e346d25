import type { Project } from '#lib/protocol/fhir/types.ts';

/** What new members get who are given nothing else, by the type of their profile. */
export function defaultPoliciesIn({
  defaultAccessPolicies = [],
  defaultPatientAccessPolicy,
}: Project): { profileType: string; reference: string }[] {
  const named = [...defaultAccessPolicies, { profileType: 'Patient', accessPolicy: defaultPatientAccessPolicy }];
  return named.flatMap(({ profileType, accessPolicy }) => {
    return accessPolicy?.reference === undefined ? [] : [{ profileType, reference: accessPolicy.reference }];
  });
}
