import { AppError, type Issue } from '#lib/base/errors.ts';
import type { AccessPolicy, Stored } from '#lib/protocol/fhir/types.ts';
import {
  OVERRIDE,
  POLICY_TEST,
  type PolicyTest,
  type PolicyTestResult,
  toJson,
} from '#lib/protocol/policies/policy-test.ts';
import { readPolicyTests } from '#lib/protocol/policies/read-policy-tests.ts';
import type { Ctx } from '../../access/context.ts';
import type { ResourceChange } from '../../rest/type-rule.ts';
import { requireSight } from '../require-sight.ts';
import { runTests } from './run-tests.ts';

/**
 * Of a policy that is about to be stored: its tests are run in the transaction that stores it. Throws 409 naming those that fail, unless the caller
 * overrides them, which is audited; 403 for who may not be told what they would tell; 400 for what is no test.
 */
export async function holdTests({ ctx, projectId, after }: ResourceChange): Promise<void> {
  const policy = after as unknown as Stored<AccessPolicy>;
  const tests = requireTests(policy);
  if (tests.length === 0) return;
  const blind = blindFor(ctx, projectId, tests);
  if (blind && !ctx.overridesTests) throw blind;
  const results = blind ? [] : await runTests(ctx, { projectId, policy, tests });
  const failed = results.filter(({ result }) => result === 'fail');
  if (failed.length > 0 && !ctx.overridesTests) throw refusal(policy, failed);
  if (!blind && failed.length === 0) return;
  const names = blind ? tests.map(({ name }) => name) : failed.map(({ name }) => name);
  const told = blind ? { notRun: names } : { failed: names };
  ctx.write.audit({ projectId, action: 'access-policy.override', target: `AccessPolicy/${policy.id}`, after: told });
}

/** Throws 400 for what is no test, naming its place. */
export function requireTests(policy: AccessPolicy): PolicyTest[] {
  const { tests, issues } = readPolicyTests(policy);
  if (issues.length > 0) throw new AppError('invalid', issues[0]!.text, { issues });
  return tests;
}

/** What a test tells is only for who may have it explained. Undefined where that is all of it. */
function blindFor(ctx: Ctx, projectId: string, tests: readonly PolicyTest[]): AppError | undefined {
  try {
    for (const { ask } of tests) requireSight(ctx, projectId, ask);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'forbidden') throw error;
    const text = `This policy has tests of what you do not see all of: who does saves it, or you with ${OVERRIDE.header}: ${OVERRIDE.value}`;
    return new AppError('forbidden', text, { expression: 'AccessPolicy.extension' });
  }
}

function refusal({ extension = [] }: AccessPolicy, failed: readonly PolicyTestResult[]): AppError {
  const issues = failed.map((each): Issue => {
    const at = extension.findIndex(({ url, valueString }) => url === POLICY_TEST && nameIn(valueString) === each.name);
    return { text: tell(each), code: 'conflict', expression: `AccessPolicy.extension[${at}]` };
  });
  return new AppError('conflict', issues[0]!.text, { issues });
}

/** Of one that was read, and is a test. */
function nameIn(text: string | undefined): string | undefined {
  return (toJson(text) as PolicyTest | undefined)?.name.trim();
}

function tell({ name, expected, got, text }: PolicyTestResult): string {
  const without = (hidden: readonly string[]) => (hidden.length > 0 ? ` without ${hidden.join(', ')}` : '');
  const wanted = `${expected.outcome}${without(expected.hidden ?? [])}`;
  return `The policy’s test “${name}” fails: expected ${wanted}, is ${got ? `${got.outcome}${without(got.hidden)}` : 'not answered'}. ${text}`;
}
