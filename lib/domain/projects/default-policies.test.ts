import { expect, test } from 'vitest';
import { parseCriteria } from '#lib/protocol/fhir/search/parse-criteria.ts';
import { validateResource } from '#lib/protocol/fhir/validate/validate.ts';
import { defaultPolicies } from './default-policies.ts';

const bind = (name: string) => (name === 'patient' || name === 'profile' ? [`Patient/p1`] : undefined);

test('every rule of the default policies is valid and can be judged, so none silently grants nothing', () => {
  for (const { profileType, rules } of defaultPolicies()) {
    expect(validateResource({ resourceType: 'AccessPolicy', name: profileType, resource: rules })).toEqual([]);
    for (const { criteria, resourceType } of rules) {
      if (criteria) expect(parseCriteria(criteria, bind, 'p'), criteria).toMatchObject({ type: resourceType });
    }
  }
});

test('a patient and a related person can change nothing and reach nothing without a criterion', () => {
  for (const { profileType, rules } of defaultPolicies()) {
    if (profileType !== 'Patient' && profileType !== 'RelatedPerson') continue;
    expect(rules.every((rule) => rule.readonly === true && rule.criteria !== undefined)).toBe(true);
  }
});

test('only the administrators have a rule for every type', () => {
  const open = defaultPolicies().filter(({ rules }) => rules.some((rule) => rule.resourceType === '*'));
  expect(open.map(({ profileType }) => profileType)).toEqual(['Admin']);
});
