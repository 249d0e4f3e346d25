import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { runText } from '#lib/infra/db/client.ts';
import { type Ctx, callerOf, requireActor, requireProjectAdmin } from '../../access/context.ts';
import { write } from '../../audit/write.ts';
import { stopNoted } from './note-running.ts';

/**
 * Ends a run that goes on, whichever process runs it, within a second or two; what it has done stays done. For administrators. Does nothing to one that ends
 * already; throws 404 for one that has ended.
 */
export async function stopRunning(ctx: Ctx, projectId: string, id: string): Promise<void> {
  requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId) || !isUuid(id)) throw notFound();
  const { profile } = callerOf(requireActor(ctx));
  await write(ctx, async (w) => {
    const [row] = await runText<Stopped>(w.tx, STOP, [projectId, id, profile]);
    if (!row) {
      if ((await runText(w.tx, FIND, [projectId, id])).length === 0) throw notFound();
      return w.unchanged();
    }
    const after = { run: row.request_id, version: row.version, trigger: row.trigger };
    w.audit({ projectId, action: 'bot.run.stop', target: `Bot/${row.bot_id}`, after });
    w.afterCommit(() => stopNoted(id));
  });
}

type Stopped = { bot_id: string; version: number; trigger: string; request_id: string };

const STOP = `
  update bot_running set stopped_by = $3
  where project_id = $1::uuid and id = $2::uuid and ends_by > now() and stopped_by is null
  returning bot_id, version, trigger, request_id`;
const FIND = 'select id from bot_running where project_id = $1::uuid and id = $2::uuid and ends_by > now()';
