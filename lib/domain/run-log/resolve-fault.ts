import { sql } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { toInstant } from '#lib/infra/db/to-instant.ts';
import type { ResolvedFault } from '#lib/protocol/bots/runs/run-sight.ts';
import { type Ctx, callerOf, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';

const FINGERPRINT = /^[0-9a-f]{16}$/;

/**
 * Says that a fault of bots is over, from now on: of whatever failed alike so far. It is open again as soon as a run that began later does. Throws 404
 * where no run has failed like this.
 */
export async function resolveFault(ctx: Ctx, projectId: string, fingerprint: string): Promise<ResolvedFault> {
  const actor = requireProjectAdmin(ctx, projectId);
  const bot = await botOf(db(), projectId, fingerprint);
  return write(ctx, async (w) => {
    const [row] = await w.tx.execute<{ at: string }>(sql`
      insert into bot_fault (project_id, fingerprint, resolved_at, resolved_by)
      values (${projectId}::uuid, ${fingerprint}, now(), ${callerOf(actor).profile}::text)
      on conflict (project_id, fingerprint) do update set resolved_at = now(), resolved_by = excluded.resolved_by
      returning resolved_at as at`);
    w.audit({ projectId, action: 'bot.fault.resolve', target: `Bot/${bot}`, after: { fingerprint } });
    return { fingerprint, resolvedAt: toInstant(row!.at) };
  });
}

/** Takes that back. Throws 404 where nobody has said so. */
export async function reopenFault(ctx: Ctx, projectId: string, fingerprint: string): Promise<void> {
  requireProjectAdmin(ctx, projectId);
  const bot = await botOf(db(), projectId, fingerprint);
  await write(ctx, async (w) => {
    const [gone] = await w.tx.execute(sql`
      delete from bot_fault where project_id = ${projectId}::uuid and fingerprint = ${fingerprint} returning fingerprint`);
    if (!gone) throw notFound();
    w.audit({ projectId, action: 'bot.fault.reopen', target: `Bot/${bot}`, after: { fingerprint } });
  });
}

/** The bot whose run was the last to fail like this. */
async function botOf(q: Queryable, projectId: string, fingerprint: string): Promise<string> {
  if (!isUuid(projectId) || !FINGERPRINT.test(fingerprint)) throw notFound();
  const [run] = await q.execute<{ bot_id: string }>(sql`
    select bot_id from bot_run where project_id = ${projectId}::uuid and fingerprint = ${fingerprint}
    order by started_at desc, id limit 1`);
  if (!run) throw notFound();
  return run.bot_id;
}
