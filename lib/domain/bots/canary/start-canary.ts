import { and, eq } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { botVersion } from '#lib/infra/db/schema/bots.ts';
import type { CanaryRequest } from '#lib/protocol/bots/canary.ts';
import { type Ctx, callerOf, requireProjectAdmin } from '../../access/context.ts';
import { write } from '../../audit/write.ts';
import { lockRow, requireLive } from '../../store/find-row.ts';
import { beginCanary } from './begin-canary.ts';

/**
 * Tries a version that is there on a share of the runs. `told`: what the audit log says of it besides; `running` as `beginCanary` has it. Throws 400 for a
 * number that the bot has not had, and what `beginCanary` throws.
 */
export async function startCanary(
  ctx: Ctx,
  projectId: string,
  botId: string,
  { version, share }: Omit<CanaryRequest, 'force'>,
  { told, running }: { told: object; running: string | undefined },
): Promise<void> {
  const actor = requireProjectAdmin(ctx, projectId);
  await write(ctx, async (w) => {
    const row = requireLive(await lockRow(w.tx, projectId, 'Bot', botId));
    const [found] = await w.tx
      .select({ number: botVersion.number })
      .from(botVersion)
      .where(and(eq(botVersion.projectId, projectId), eq(botVersion.botId, botId), eq(botVersion.number, version)));
    if (!found) throw new AppError('invalid', `The bot has no version ${version}`, { expression: 'version' });
    await beginCanary(w, row, { number: version, share, author: callerOf(actor).profile, told, running });
  });
}
