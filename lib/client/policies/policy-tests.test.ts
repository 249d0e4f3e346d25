import { expect, test } from 'vitest';
import { ApiError } from '#lib/client/api/api-error.ts';
import type { AccessPolicy } from '#lib/protocol/fhir/types.ts';
import { POLICY_TEST, type PolicyTest } from '#lib/protocol/policies/policy-test.ts';
import { brokenTests, storedTests, withoutTest } from './policy-tests.ts';

const TEST: PolicyTest = {
  name: 'reads',
  ask: { interaction: 'read', resourceType: 'Patient' },
  expect: { outcome: 'allow' },
};
const toExtension = (value: unknown) => ({ url: POLICY_TEST, valueString: JSON.stringify(value) });

test('of a policy that is being typed, what is no test is passed over, and stays', () => {
  const strange = [
    { url: POLICY_TEST },
    { url: 'urn:x', valueString: 'x' },
    ...[1, null, [], { ...TEST, ask: 1 }].map(toExtension),
  ];
  const policy: AccessPolicy = { resourceType: 'AccessPolicy', extension: [...strange, toExtension(TEST)] };
  expect(storedTests(policy)).toEqual([TEST]);
  expect(withoutTest(policy, 'reads').extension).toEqual(strange);
  expect(withoutTest({ resourceType: 'AccessPolicy', extension: [toExtension(TEST)] }, 'reads')).toEqual({
    resourceType: 'AccessPolicy',
  });
});

test('which refusals are of tests', () => {
  const ofTests = [{ text: 'fails', expression: 'AccessPolicy.extension[0]' }];
  expect(brokenTests(new ApiError(409, ofTests))).toEqual(ofTests);
  expect(brokenTests(new ApiError(403, ofTests))).toEqual(ofTests);
  expect(brokenTests(new ApiError(400, ofTests))).toBeUndefined();
  expect(brokenTests(new ApiError(409, [{ text: 'in use' }]))).toBeUndefined();
  expect(brokenTests(new Error('x'))).toBeUndefined();
});
