import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import type { AccessPolicy, Stored } from '#lib/protocol/fhir/types.ts';
import type { PolicyTestRun } from '#lib/protocol/policies/policy-test.ts';
import type { Ctx } from '../../access/context.ts';
import { write } from '../../audit/write.ts';
import { findRow, requireLive } from '../../store/find-row.ts';
import { knowParams } from '../../store/own-params/know-params.ts';
import { toResource } from '../../store/row.ts';
import { readDraft } from '../load-subject.ts';
import { requireSight } from '../require-sight.ts';
import { requireTests } from './hold-tests.ts';
import { runTests } from './run-tests.ts';

/**
 * The tests of a policy, as it is stored or, with a body, as it would be. Nothing is changed. For administrators who may have all of it explained.
 * Throws 400 for a draft that would be refused, 404 and 410 where there is no such policy.
 */
export async function testPolicy(ctx: Ctx, projectId: string, policyId: string, body: unknown): Promise<PolicyTestRun> {
  requireSight(ctx, projectId, {});
  if (!isUuid(policyId)) throw notFound();
  const stored = toResource<Stored<AccessPolicy>>(requireLive(await findRow(projectId, 'AccessPolicy', policyId)));
  await knowParams(projectId);
  const draft = body === undefined ? stored : await readDraft(body as AccessPolicy, projectId);
  const policy = { ...draft, id: policyId };
  const tests = requireTests(policy);
  for (const { ask } of tests) requireSight(ctx, projectId, ask);
  const results = await write(ctx, async (w, inner) => {
    w.unchanged();
    return runTests(inner, { projectId, policy, tests });
  });
  return { passed: results.every(({ result }) => result === 'pass'), results };
}
