import { setTimeout as pause } from 'node:timers/promises';
import { pace } from '#lib/base/pace.ts';
import { db, runText } from '#lib/infra/db/client.ts';
import { projectsIn } from '#lib/infra/db/sweep.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { listenedTag, subscriptionsTag } from '../access/cache-tags.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { auditEntry } from '../rest/audit-entry.ts';
import { noteListening } from '../store/feeds/listening.ts';
import type { Subscription } from '../store/feeds/read-subscription.ts';
import { lockRows } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';
import { updateRow } from '../store/update-row.ts';

const BATCH = 100;

/**
 * Gives Subscriptions whose `end` has passed the status `off` (R4 Subscription.status), a version that says so: nothing fires after its end in any
 * case (announce.ts, deliver.ts), and until then they are active. Their author stays who wrote them.
 */
export async function endOver(ctx: Ctx, stopped?: AbortSignal): Promise<void> {
  for await (const projectId of projectsIn('resource', stopped)) {
    for (let after = ''; !stopped?.aborted; ) {
      const some = await runText<Found>(db(), ENDING, [projectId, after, BATCH]);
      const over = some.filter(({ end }) => Date.parse(end) <= Date.now()).map(({ id }) => id);
      if (over.length > 0) await endSome(ctx, projectId, over);
      if (some.length < BATCH) break;
      after = some.at(-1)!.id;
      await pause(pace.sweepPauseMs);
    }
  }
}

type Found = { id: string; end: string };

/** What an `end` means is read here alone: it says in which zone. */
const ENDING = `select id, content ->> 'end' as end from resource
  where project_id = $1 and type_id = ${typeId('Subscription')} and not deleted and id > $2
    and content ->> 'status' = 'active' and content ->> 'end' is not null
  order by id limit $3::int`;

function endSome(ctx: Ctx, projectId: string, ids: readonly string[]): Promise<void> {
  return write(
    ctx,
    async (w) => {
      w.unchanged();
      for (const current of await lockRows(w.tx, projectId, 'Subscription', ids)) {
        if (current.deleted) continue;
        const now = toResource<Subscription>(current);
        const isOver = now.end !== undefined && Date.parse(now.end) <= Date.now();
        if (now.status !== 'active' || !isOver) continue;
        const row = await updateRow(w, current, { ...now, status: 'off' }, current.author ?? undefined);
        await noteListening(w, row);
        w.audit(auditEntry('update', row, current));
        w.invalidate(listenedTag(row.id));
      }
      w.invalidate(subscriptionsTag(projectId));
    },
    { notes: true },
  );
}
