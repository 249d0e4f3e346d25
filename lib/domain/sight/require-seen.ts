import { AppError, notFound } from '#lib/base/errors.ts';
import type { Actor } from '../access/context.ts';
import { hiddenOf } from '../access/fields.ts';
import { isUnlimited, mayReach, reach } from '../access/policy.ts';
import type { Row } from '../store/row.ts';
import { judgeOf } from '../store/visible-row.ts';
import { isWithin, judgeable } from '../store/within-reach.ts';

/**
 * Nobody learns of a record by who else can read it: 404 for what the caller cannot read themself, in any of these versions; 403 where something of it is
 * hidden from them, which the rules of others may ask by.
 */
export async function requireSeen(actor: Actor, rows: readonly Row[]): Promise<void> {
  if (isUnlimited(actor.policy)) return;
  for (const row of rows) {
    const judged = await judgeable(row);
    if (judged.content === null || !mayReach(actor, row.type, 'read')) throw notFound();
    if (!(await isWithin(reach(actor, row.type, 'read'), judged))) throw notFound();
    const judge = await judgeOf(actor, judged);
    if (hiddenOf(actor, row.type, judge).size > 0) {
      throw new AppError('forbidden', 'Your access policy hides some of this record, which others may read it by');
    }
  }
}
