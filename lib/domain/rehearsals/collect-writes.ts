import { sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import type { AuditEntry, Ctx, Standing, Write } from '../access/context.ts';
import { BESIDE, toRow } from '../audit/write.ts';
import { settle } from '../standing/settle.ts';

/** Of one dry run. */
const MOST_WRITES = 200;

export type Collected = { w: Write; entries: AuditEntry[] };

/** A `Write` of a transaction that is taken back: nothing leaves with a commit, and the audit entries say what was done. */
export function collectWrites(ctx: Ctx, tx: Queryable): Collected {
  const entries: AuditEntry[] = [];
  const told: Standing[] = [];
  const add = (entry: AuditEntry) => {
    if (entries.push(entry) > MOST_WRITES)
      throw new AppError('too-costly', `A dry run changes at most ${MOST_WRITES} things`);
  };
  const w: Write = {
    tx,
    depth: ctx.depth,
    actor: ctx.actor,
    audit: add,
    auditBeside: (entry) => {
      add(entry);
      return { parts: BESIDE, params: toRow(ctx, entry) };
    },
    unchanged: () => undefined,
    invalidate: () => undefined,
    afterCommit: () => undefined,
    stands: (of) => told.push(of),
    settle: () => settle(tx, told.splice(0)),
    attempt: async (run) => {
      const before = entries.length;
      await tx.execute(sql`savepoint attempt`);
      try {
        const value = await run();
        await tx.execute(sql`release savepoint attempt`);
        return value;
      } catch (error) {
        await tx.execute(sql`rollback to savepoint attempt`);
        entries.length = before;
        throw error;
      }
    },
  };
  return { w, entries };
}
