import type { ExplainRequest } from '../explain/explain-request.ts';

/** An extension of an AccessPolicy with a `valueString` that is JSON: a test of it. Clients that know nothing of it keep it. */
export const POLICY_TEST = 'urn:gatehouse:policy-test';

/** Sent with what saves a policy (`X-Gatehouse-Override`): also when tests of it fail. It is audited. */
export const OVERRIDE = { header: 'x-gatehouse-override', value: 'policy-tests' } as const;

export type PolicyTest = {
  name: string;
  /** A question as it is explained, of the policy that carries the test. */
  ask: Omit<ExplainRequest, 'policy' | 'query'>;
  /** `hidden`: exactly these elements are taken out, in any order. */
  expect: { outcome: 'allow' | 'some' | 'deny'; hidden?: string[] };
};

/** `missing`: the member or record that it is about is not there. */
export type PolicyTestResult = {
  name: string;
  result: 'pass' | 'fail' | 'missing';
  expected: PolicyTest['expect'];
  /** Null where nothing was answered. */
  got: { outcome: string; status: number; hidden: string[] } | null;
  text: string;
};

/** POST /admin/projects/{id}/access-policies/{policy}/test. `passed`: all of them. */
export type PolicyTestRun = { passed: boolean; results: PolicyTestResult[] };

/** Undefined for what is no JSON. */
export function toJson(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
