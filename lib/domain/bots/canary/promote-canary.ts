import { and, eq } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { botVersion } from '#lib/infra/db/schema/bots.ts';
import { type Ctx, callerOf, requireProjectAdmin } from '../../access/context.ts';
import { write } from '../../audit/write.ts';
import { lockRow, requireLive } from '../../store/find-row.ts';
import { setLive } from '../live/set-live.ts';
import { type CanaryRow, closeCanary } from './canary-rows.ts';
import { tallyRuns } from './tally-runs.ts';

/** The version that is tried by this trial is live from now on. `told`: what the audit log says of it besides. Throws 409 where it has ended. */
export async function promoteCanary(
  ctx: Ctx,
  projectId: string,
  botId: string,
  { id, told }: { id: string; told: object },
): Promise<{ number: number }> {
  const actor = requireProjectAdmin(ctx, projectId);
  const figures = await tallyRuns(projectId, botId);
  return write(ctx, async (w) => {
    const row = requireLive(await lockRow(w.tx, projectId, 'Bot', botId));
    const by = callerOf(actor).profile;
    const canary = await closeCanary(w.tx, projectId, botId, { state: 'promoted', by, figures }, id);
    if (!canary) throw noneRuns();
    const { number } = canary;
    const [version] = await w.tx
      .select({ filename: botVersion.filename })
      .from(botVersion)
      .where(and(eq(botVersion.projectId, projectId), eq(botVersion.botId, botId), eq(botVersion.number, number)));
    await setLive(w, row, { number, filename: version!.filename, author: actor.profile });
    w.audit({ projectId, action: 'bot.canary.promote', target: `Bot/${botId}`, after: { version: number, ...told } });
    return { number };
  });
}

/** The trial that is on, of this version where one is said. Throws 409. */
export function requireRunning(canary: CanaryRow | undefined, version: number | undefined): CanaryRow {
  if (canary?.state !== 'running') throw noneRuns();
  if (version === undefined || canary.number === version) return canary;
  throw new AppError('conflict', `Version ${canary.number} is tried by now`, { expression: 'version' });
}

export function noneRuns(): AppError {
  return new AppError('conflict', 'No version of this bot is being tried');
}
