import { sql } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import type { Ctx } from '../access/context.ts';
import { unheard } from './unheard.ts';
import { write } from './write.ts';

/** Makes a change and takes it back: by the end of its transaction, or by a savepoint of the one that is open, which goes on. Throws what the change throws. */
export async function takenBack(ctx: Ctx, change: (inner: Ctx) => Promise<unknown>): Promise<void> {
  if (ctx.write) return toSavepoint(ctx.write.tx, () => change({ ...ctx, write: unheard(ctx, ctx.write!.tx) }));
  try {
    await write<never>(ctx, async (_, inner) => {
      // Tried again it may be another change.
      inner.judging?.unmet.clear();
      await change(inner);
      throw new TakenBack();
    });
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error;
  }
}

async function toSavepoint(tx: Queryable, change: () => Promise<unknown>): Promise<void> {
  await tx.execute(sql`savepoint taken_back`);
  try {
    await change();
  } finally {
    await tx.execute(sql`rollback to savepoint taken_back`);
    await tx.execute(sql`release savepoint taken_back`);
  }
}

/** Carries nothing out of the transaction but that it would stand. */
class TakenBack extends Error {}
