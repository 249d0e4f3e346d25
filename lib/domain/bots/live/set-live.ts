import { botDeployment } from '#lib/infra/db/schema/bots.ts';
import type { Bot } from '#lib/protocol/fhir/types.ts';
import { botTag } from '../../access/cache-tags.ts';
import { callerOf, type Write } from '../../access/context.ts';
import { type Row, toResource } from '../../store/row.ts';
import { updateRow } from '../../store/update-row.ts';
import { closeCanary } from '../canary/canary-rows.ts';

type Live = { number: number; filename: string; author: string };

/** All runs are on this version from now on; a trial of another one is over (`ended`). Under the bot's lock; the caller audits. */
export async function setLive(w: Write, row: Row, { number, filename, author }: Live): Promise<{ ended?: number }> {
  const { projectId, id: botId } = row;
  await w.tx
    .insert(botDeployment)
    .values({ projectId, botId, number })
    .onConflictDoUpdate({ target: [botDeployment.projectId, botDeployment.botId], set: { number } });
  const by = w.actor ? callerOf(w.actor).profile : author;
  const canary = await closeCanary(w.tx, projectId, botId, { state: 'replaced', by });
  const executableCode = { contentType: 'text/javascript', title: filename };
  await updateRow(w, row, { ...toResource<Bot>(row), executableCode }, author);
  w.invalidate(botTag(botId));
  return canary ? { ended: canary.number } : {};
}
