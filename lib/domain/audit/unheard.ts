import type { Queryable } from '#lib/infra/db/client.ts';
import type { Ctx, Write } from '../access/context.ts';
import { BESIDE, toRow } from './write.ts';

/** A `Write` for what is taken back by a savepoint of this transaction: nothing of it leaves with the commit. */
export function unheard(ctx: Ctx, tx: Queryable): Write {
  const nothing = () => undefined;
  return {
    tx,
    depth: ctx.depth,
    actor: ctx.actor,
    audit: nothing,
    auditBeside: (entry) => ({ parts: BESIDE, params: toRow(ctx, entry) }),
    unchanged: nothing,
    invalidate: nothing,
    afterCommit: nothing,
    stands: nothing,
    settle: async () => undefined,
  };
}
