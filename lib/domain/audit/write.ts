import { AppError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { transaction } from '#lib/infra/db/client.ts';
import { isRetryable, toAppError } from '#lib/infra/db/errors.ts';
import { dropLocally, publishInvalidations } from '#lib/infra/db/invalidation.ts';
import { auditEvent } from '#lib/infra/db/schema/operations.ts';
import type { AuditEntry, Ctx, Write } from '../access/context.ts';

const MAX_TRIES = 4;

/**
 * Opens a transaction, or joins the one that `ctx` already carries, and commits its audit rows with it. Throws when a change left
 * none: a change without an audit row cannot commit. Deadlocks and serialisation failures are tried again, so `run` must not have
 * effects outside the transaction: those go to `afterCommit`.
 */
export async function write<T>(ctx: Ctx, run: (w: Write, ctx: Ctx & { write: Write }) => Promise<T>): Promise<T> {
  if (ctx.write) return run(ctx.write, { ...ctx, write: ctx.write });
  for (let attempt = 1; ; attempt++) {
    try {
      return await writeOnce(ctx, run);
    } catch (error) {
      if (attempt < MAX_TRIES && isRetryable(error)) continue;
      throw toAppError(error);
    }
  }
}

async function writeOnce<T>(ctx: Ctx, run: (w: Write, ctx: Ctx & { write: Write }) => Promise<T>): Promise<T> {
  const entries: AuditEntry[] = [];
  const keys = new Set<string>();
  const later: (() => void)[] = [];
  const result = await transaction(async (tx) => {
    const w: Write = {
      tx,
      audit: (entry) => entries.push(entry),
      invalidate: (key) => keys.add(key),
      afterCommit: (callback) => later.push(callback),
    };
    const value = await run(w, { ...ctx, write: w });
    if (entries.length === 0) throw new AppError('exception', 'A change without an audit entry');
    await tx.insert(auditEvent).values(entries.map((entry) => toRow(ctx, entry)));
    if (keys.size > 0) await publishInvalidations(tx, keys);
    return value;
  });
  dropLocally(keys);
  for (const callback of later) callback();
  return result;
}

function toRow(ctx: Ctx, entry: AuditEntry): typeof auditEvent.$inferInsert {
  return {
    projectId: entry.projectId,
    id: newId(),
    action: entry.action,
    target: entry.target,
    outcome: entry.outcome ?? 0,
    actor: ctx.actor?.profile ?? null,
    actorMembership: ctx.actor?.membershipId ?? null,
    loginId: ctx.actor?.loginId ?? null,
    onBehalfOf: ctx.actor?.onBehalfOfBy ?? null,
    requestId: ctx.requestId,
    remoteAddress: ctx.remoteAddress,
    before: entry.before ?? null,
    after: entry.after ?? null,
  };
}
