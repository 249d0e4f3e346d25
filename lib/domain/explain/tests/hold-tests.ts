import { AppError, type Issue } from '#lib/base/errors.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
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
import { findEach } from '../../store/find-row.ts';
import { findDependents } from '../../store/policies/find-dependents.ts';
import { toResource } from '../../store/row.ts';
import { requireSight } from '../require-sight.ts';
import { runTests } from './run-tests.ts';

/** Of a policy that stands on the one that is saved: `upon` is its name. */
type Tested = { policy: Stored<AccessPolicy>; tests: PolicyTest[]; upon?: string };
type Failed = PolicyTestResult & Pick<Tested, 'upon'>;

/**
 * Of a policy that is about to be stored: its tests, and those of the policies that are based on it, are run in the transaction that stores it. Throws 409
 * naming those that fail, unless the caller overrides them, which is audited; 403 for who may not be told what they would tell; 400 for what is no test.
 */
export async function holdTests({ ctx, projectId, before, after }: ResourceChange): Promise<void> {
  const policy = after as unknown as Stored<AccessPolicy>;
  const own = requireTests(policy);
  const dependents = before ? await findTested(projectId, policy.id, ctx.write.tx) : [];
  const all: Tested[] = own.length > 0 ? [{ policy, tests: own }, ...dependents] : dependents;
  if (all.length === 0) return;
  const blind = blindFor(
    ctx,
    projectId,
    all.flatMap(({ tests }) => tests),
  );
  if (blind && !ctx.overridesTests) throw blind;
  const failed = blind ? [] : await failedOf(ctx, projectId, policy, all);
  if (failed.length > 0 && !ctx.overridesTests) throw refusal(policy, failed);
  if (!blind && failed.length === 0) return;
  const notRun = all.flatMap(({ tests, upon }) => tests.map(({ name }) => ({ name, upon })));
  const told = blind ? { notRun: notRun.map(inFull) } : { failed: failed.map(inFull) };
  ctx.write.audit({ projectId, action: 'access-policy.override', target: `AccessPolicy/${policy.id}`, after: told });
}

/** The policies that are based on it and carry tests. */
async function findTested(projectId: string, id: string, tx: Queryable): Promise<Tested[]> {
  const { steps } = await findDependents(projectId, `AccessPolicy/${id}`, tx);
  const names = [...steps.keys()].map((name) => ['AccessPolicy', name.slice('AccessPolicy/'.length)] as const);
  if (names.length === 0) return [];
  return (await findEach(projectId, names, tx)).flatMap((row): Tested[] => {
    if (!row?.content?.includes(POLICY_TEST)) return [];
    const policy = toResource<Stored<AccessPolicy>>(row);
    const { tests } = readPolicyTests(policy);
    return tests.length > 0 ? [{ policy, tests, upon: policy.name ?? policy.id }] : [];
  });
}

async function failedOf(
  ctx: ResourceChange['ctx'],
  projectId: string,
  saved: Stored<AccessPolicy>,
  all: readonly Tested[],
): Promise<Failed[]> {
  const begun = performance.now();
  const beside = new Map([[`AccessPolicy/${saved.id}`, saved]]);
  const failed: Failed[] = [];
  for (const { policy, tests, upon } of all) {
    const others = upon === undefined ? {} : { beside };
    const results = await runTests(ctx, { projectId, policy, tests, begun, ...others });
    failed.push(...results.filter(({ result }) => result === 'fail').map((each) => ({ ...each, upon })));
  }
  return failed;
}

function inFull({ name, upon }: Pick<Failed, 'name' | 'upon'>): string {
  return upon === undefined ? name : `${upon}: ${name}`;
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

function refusal({ extension = [] }: AccessPolicy, failed: readonly Failed[]): AppError {
  const issues = failed.map((each): Issue => {
    if (each.upon !== undefined) return { text: tell(each), code: 'conflict', expression: 'AccessPolicy.resource' };
    const at = extension.findIndex(({ url, valueString }) => url === POLICY_TEST && nameIn(valueString) === each.name);
    return { text: tell(each), code: 'conflict', expression: `AccessPolicy.extension[${at}]` };
  });
  return new AppError('conflict', issues[0]!.text, { issues });
}

/** Of one that was read, and is a test. */
function nameIn(text: string | undefined): string | undefined {
  return (toJson(text) as PolicyTest | undefined)?.name.trim();
}

function tell({ name, upon, expected, got, text }: Failed): string {
  const without = (hidden: readonly string[]) => (hidden.length > 0 ? ` without ${hidden.join(', ')}` : '');
  const wanted = `${expected.outcome}${without(expected.hidden ?? [])}`;
  const whose = upon === undefined ? 'The policy’s test' : `Of “${upon}”, which is based on this policy, the test`;
  return `${whose} “${name}” fails: expected ${wanted}, is ${got ? `${got.outcome}${without(got.hidden)}` : 'not answered'}. ${text}`;
}
