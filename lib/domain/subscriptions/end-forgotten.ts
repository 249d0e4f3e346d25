import { setTimeout as pause } from 'node:timers/promises';
import { pace } from '#lib/base/pace.ts';
import { projectsIn } from '#lib/infra/db/sweep.ts';
import { listenedTag, subscriptionsTag } from '../access/cache-tags.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { auditEntry } from '../rest/audit-entry.ts';
import { deleteRow, purgeVersions } from '../store/delete-row.ts';
import { forgetListening, lockForgotten } from '../store/feeds/listening.ts';
import { lockRows } from '../store/find-row.ts';

const BATCH = 100;

/** Deletes the Subscriptions for sockets to which nobody has listened for an hour: apps make one with each page, and take none away. */
export async function endForgotten(ctx: Ctx, stopped?: AbortSignal): Promise<void> {
  for await (const projectId of projectsIn('listening', stopped)) {
    for (let last = BATCH; last === BATCH && !stopped?.aborted; ) {
      last = await endSome(ctx, projectId);
      if (last === BATCH) await pause(pace.sweepPauseMs);
    }
  }
}

function endSome(ctx: Ctx, projectId: string): Promise<number> {
  return write(
    ctx,
    async (w) => {
      const ids = await lockForgotten(w.tx, projectId, BATCH);
      w.unchanged();
      if (ids.length === 0) return 0;
      for (const row of await lockRows(w.tx, projectId, 'Subscription', ids)) {
        if (row.deleted) continue;
        await deleteRow(w, row, undefined);
        await purgeVersions(w, projectId, 'Subscription', row.id);
        w.audit(auditEntry('delete', row, row));
        w.invalidate(listenedTag(row.id));
      }
      await forgetListening(w.tx, projectId, ids);
      w.invalidate(subscriptionsTag(projectId));
      return ids.length;
    },
    { notes: true },
  );
}
