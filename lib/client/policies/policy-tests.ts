'use client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { AccessPolicy } from '#lib/protocol/fhir/types.ts';
import {
  OVERRIDE,
  POLICY_TEST,
  type PolicyTest,
  type PolicyTestRun,
  toJson,
} from '#lib/protocol/policies/policy-test.ts';
import { api } from '../api/api.ts';
import { ApiError, type ApiIssue } from '../api/api-error.ts';
import { keys } from '../api/query-keys.ts';
import { policyQuery, type StoredPolicy } from './policies.ts';

/** Runs the tests of a policy as it would be. */
export function useRunTests(projectId: string, policyId: string) {
  return useMutation({
    mutationFn: (draft: AccessPolicy) =>
      api<PolicyTestRun>(`/admin/projects/${projectId}/access-policies/${policyId}/test`, {
        method: 'POST',
        body: draft,
      }),
  });
}

/** Puts a test into a policy as it is stored. Refused (409) where it would fail there. */
export function useKeepTest(projectId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ reference, test }: { reference: string; test: PolicyTest }) => {
      const policy = await api<StoredPolicy>(`/fhir/R4/${reference}`);
      return api<StoredPolicy>(`/fhir/R4/${reference}`, {
        method: 'PUT',
        contentType: 'application/fhir+json',
        body: withTest(policy, test),
        ifMatch: policy.meta?.versionId,
      });
    },
    onSuccess: (saved) => cache.setQueryData(policyQuery(projectId, saved.id).queryKey, saved),
    onSettled: () => cache.invalidateQueries({ queryKey: keys.policies(projectId) }),
  });
}

/** What tests of the policy say against a save, or why they are not run; undefined where something else was refused. */
export function brokenTests(error: unknown): readonly ApiIssue[] | undefined {
  if (!(error instanceof ApiError) || (error.status !== 409 && error.status !== 403)) return undefined;
  const ofTests = error.issues.filter(({ expression }) => expression?.startsWith('AccessPolicy.extension'));
  return ofTests.length > 0 ? ofTests : undefined;
}

/** Headers of a save that tests shall not stand in the way of. */
export const ANYWAY = { [OVERRIDE.header]: OVERRIDE.value };

/** Those of a policy that was stored: each has been read before. */
export function storedTests({ extension = [] }: AccessPolicy): PolicyTest[] {
  return extension.flatMap(({ url, valueString }) => {
    const test = url === POLICY_TEST ? toJson(valueString) : undefined;
    return isTest(test) ? [test] : [];
  });
}

/** With one test more, or another in the place of that with its name. */
function withTest<P extends AccessPolicy>(policy: P, test: PolicyTest): P {
  const rest = withoutTest(policy, test.name).extension ?? [];
  return { ...policy, extension: [...rest, { url: POLICY_TEST, valueString: JSON.stringify(test) }] };
}

export function withoutTest<P extends AccessPolicy>(policy: P, name: string): P {
  const { extension = [], ...rest } = policy;
  const left = extension.filter(({ url, valueString }) => {
    const test = url === POLICY_TEST ? toJson(valueString) : undefined;
    return !isTest(test) || test.name !== name;
  });
  return { ...rest, ...(left.length > 0 && { extension: left }) } as P;
}

function isTest(value: unknown): value is PolicyTest {
  const { name, ask, expect } = (value ?? {}) as Partial<Record<keyof PolicyTest, unknown>>;
  return typeof name === 'string' && isObject(ask) && isObject(expect) && Array.isArray(ask.parameter ?? []);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
