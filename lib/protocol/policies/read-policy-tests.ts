import { z } from 'zod';
import type { Issue } from '#lib/base/errors.ts';
import { explainRequest } from '../explain/explain-request.ts';
import type { AccessPolicy } from '../fhir/types.ts';
import { checkJson } from '../json/json.ts';
import { plainName } from '../requests/plain-name.ts';
import { POLICY_TEST, type PolicyTest } from './policy-test.ts';

/** Of a policy: each save runs all of them. Characters of all together. */
const MOST_TESTS = 20;
const MOST_CHARACTERS = 64 * 1024;

const policyTest = z.strictObject(
  {
    name: plainName('name is required', 100, 'name has at most 100 characters'),
    ask: z.looseObject({}, 'ask is required'),
    expect: z.strictObject(
      {
        outcome: z.enum(['allow', 'some', 'deny'], 'expect.outcome must be one of allow, some, deny'),
        hidden: z
          .array(z.string().min(1).max(64), 'expect.hidden must be names of elements')
          .max(100, 'expect.hidden has at most 100 names')
          .optional(),
      },
      'expect must have an outcome, and nothing but hidden besides',
    ),
  },
  'valueString must be JSON with name, ask and expect',
);

/** What stands in a policy, read; and what of it is no test, by its place. */
export function readPolicyTests({ extension = [] }: AccessPolicy): { tests: PolicyTest[]; issues: Issue[] } {
  const given = extension.flatMap(({ url, valueString = '' }, at) =>
    url === POLICY_TEST ? [{ valueString, at }] : [],
  );
  const length = given.reduce((sum, { valueString }) => sum + valueString.length, 0);
  if (given.length > MOST_TESTS || length > MOST_CHARACTERS) {
    const text = `A policy has at most ${MOST_TESTS} tests, of ${MOST_CHARACTERS} characters together`;
    return { tests: [], issues: [{ text, code: 'too-long', expression: 'AccessPolicy.extension' }] };
  }
  const tests = new Map<string, PolicyTest>();
  const issues: Issue[] = [];
  for (const { valueString, at } of given) {
    const read = readTest(valueString);
    const fault = typeof read === 'string' ? read : tests.has(read.name) ? 'another test has its name' : undefined;
    const expression = `AccessPolicy.extension[${at}].valueString`;
    if (fault !== undefined) issues.push({ text: `This is no test of a policy: ${fault}`, code: 'value', expression });
    else if (typeof read !== 'string') tests.set(read.name, read);
  }
  return { tests: [...tests.values()], issues };
}

/** A text where it is none: why. */
function readTest(text: string): PolicyTest | string {
  const parsed = policyTest.safeParse(parse(text));
  if (!parsed.success) return parsed.error.issues[0]?.message ?? 'it cannot be read';
  const { name, ask, expect } = parsed.data;
  const strange = ['policy', 'query'].find((word) => word in ask);
  if (strange) return `ask has no ${strange}`;
  const asked = explainRequest.safeParse({ ...ask, policy: { resourceType: 'AccessPolicy' } });
  if (!asked.success) return `ask: ${asked.error.issues[0]?.message}`;
  const { policy: _, ...question } = asked.data;
  // A save holds its policy already: who changes members waits for that with the project, and other saves with theirs.
  if (HELD.has(question.resourceType) && WRITING.has(question.interaction))
    return `ask: what would be written of a ${question.resourceType} is not tested`;
  return { name, ask: question as PolicyTest['ask'], expect };
}

const HELD = new Set(['AccessPolicy', 'Project']);
const WRITING = new Set(['create', 'update', 'delete']);

/** As a body is read: no deeper, and with nothing in it that is stored nowhere. Undefined for other text. */
function parse(text: string): unknown {
  try {
    checkJson(text);
    return JSON.parse(text, (key, value) => {
      if (![key, value].every(isStorable)) throw new SyntaxError('unstorable');
      return value;
    });
  } catch {
    return undefined;
  }
}

function isStorable(value: unknown): boolean {
  return typeof value !== 'string' || (value.isWellFormed() && !value.includes('\u0000'));
}
