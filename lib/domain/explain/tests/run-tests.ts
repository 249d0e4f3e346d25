import { AppError } from '#lib/base/errors.ts';
import type { Explanation } from '#lib/protocol/explain/explanation.ts';
import type { AccessPolicy, Stored } from '#lib/protocol/fhir/types.ts';
import type { PolicyTest, PolicyTestResult } from '#lib/protocol/policies/policy-test.ts';
import { type Ctx, requireActor, type Write } from '../../access/context.ts';
import { unheard } from '../../audit/unheard.ts';
import { explainTo } from '../explain.ts';

/** All tests that one save runs. */
const MOST_MS = 5000;

/** `beside`: policies that it is based on, as they are about to be stored. `begun`: when the first of all tests was (performance.now). */
type Case = {
  projectId: string;
  policy: Stored<AccessPolicy>;
  tests: readonly PolicyTest[];
  beside?: ReadonlyMap<string, AccessPolicy>;
  begun?: number;
};

/**
 * What the policy would answer, as it is explained, in the open transaction: of what is stored at its moment, and what a test writes is taken
 * back. For who may have all of it explained (require-sight.ts).
 */
export async function runTests(
  ctx: Ctx & { write: Write },
  { projectId, policy, tests, beside, begun = performance.now() }: Case,
): Promise<PolicyTestResult[]> {
  const asker = requireActor(ctx);
  const inner = { ...ctx, write: unheard(ctx, ctx.write.tx) };
  const results: PolicyTestResult[] = [];
  for (const { name, ask, expect } of tests) {
    const told = { name, expected: expect };
    if (performance.now() - begun > MOST_MS) {
      const text = `Not run: the tests of a save have ${MOST_MS / 1000} seconds together`;
      results.push({ ...told, result: 'fail', got: null, text });
      continue;
    }
    try {
      const { outcome, status, hidden, text } = await explainTo(inner, asker, {
        projectId,
        asked: ask,
        draft: policy,
        beside,
      });
      const got = { outcome, status, hidden };
      results.push({ ...told, result: isSo(expect, got) ? 'pass' : 'fail', got, text });
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'exception' || error.code === 'unavailable') throw error;
      const isMissing = error.code === 'not-found';
      const text = isMissing ? 'The member or record that it is about is not there' : error.message;
      results.push({ ...told, result: isMissing ? 'missing' : 'fail', got: null, text });
    }
  }
  return results;
}

function isSo({ outcome, hidden }: PolicyTest['expect'], got: Pick<Explanation, 'outcome' | 'hidden'>): boolean {
  if (got.outcome !== outcome) return false;
  return hidden === undefined || new Set(hidden).symmetricDifference(new Set(got.hidden)).size === 0;
}
