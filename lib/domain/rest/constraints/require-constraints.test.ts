import { expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import type { Actor, Ctx } from '../../access/context.ts';
import { INTERACTIONS, rule } from '../../access/rule.ts';
import { judgeOnce } from './fhirpath-budget.ts';
import { unmetOf } from './require-constraints.ts';

test('of a change that is made and explained each rule is asked once, within the time of one change', async () => {
  const ctx: Ctx = {
    ...{ requestId: '', remoteAddress: '', userAgent: '', judging: judgeOnce() },
    actor: { projectId: newId() } as Actor,
  };
  const that = (...expressions: string[]) => {
    return { ...rule('Task', INTERACTIONS), constraint: { expressions, variables: { a: ['x'] } } };
  };
  const after = { resourceType: 'Task', id: 'x', status: 'draft' };
  const unmet = (of: ReturnType<typeof that>) => unmetOf(ctx, of, undefined, after);
  const { leftMs } = ctx.judging!;
  expect(await unmet(that("%after.status = 'draft'", "%a = 'y'"))).toEqual([1]);
  expect(ctx.judging!.leftMs).toBeLessThan(leftMs);
  ctx.judging!.leftMs = 0;
  expect(await unmet(that("%after.status = 'draft'", "%a = 'y'"))).toEqual([1]);
  await expect(unmet(that("%a = 'y'"))).rejects.toMatchObject({ code: 'too-costly' });
});
