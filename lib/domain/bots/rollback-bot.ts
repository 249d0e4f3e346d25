import { and, eq, max } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { botVersion } from '#lib/infra/db/schema/bots.ts';
import type { BotVersion } from '#lib/protocol/bots/bot-versions.ts';
import type { RollbackRequest } from '#lib/protocol/requests/bot-console.ts';
import { type Ctx, callerOf, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { sourceHash } from '../bytes/source-hash.ts';
import { lockRow, requireLive } from '../store/find-row.ts';
import { requireLiveIs } from './deploy-bot.ts';
import { setLive } from './live/set-live.ts';

/**
 * Makes an earlier version the newest one, and runs it: the bundle of then, byte for byte, under a new number that says which
 * it is of, so that the history tells what ran when. The saved source stays. `told`: what the audit log says of it besides. Throws 400 for a number that the bot has not had, 412 where another version is live than `over`.
 */
export async function rollbackBot(
  ctx: Ctx,
  projectId: string,
  botId: string,
  { number: from, note, over }: Omit<RollbackRequest, 'force'>,
  told: object,
): Promise<Pick<BotVersion, 'number'>> {
  const actor = requireProjectAdmin(ctx, projectId);
  return write(ctx, async (w) => {
    const row = requireLive(await lockRow(w.tx, projectId, 'Bot', botId));
    if (over !== undefined) await requireLiveIs(w.tx, projectId, botId, over);
    const { newest, version } = await findVersions(w.tx, projectId, botId, from);
    if (!version) throw new AppError('invalid', `The bot has no version ${from}`, { expression: 'number' });
    const number = newest + 1;
    await w.tx.insert(botVersion).values({
      ...version,
      sourceHash: sourceHash(Buffer.from(version.source)),
      number,
      author: callerOf(actor).profile,
      note: note ?? null,
      fromNumber: from,
      createdAt: new Date(),
    });
    const ended = await setLive(w, row, { number, filename: version.filename, author: actor.profile });
    w.audit({
      projectId,
      action: 'bot.rollback',
      target: `Bot/${botId}`,
      after: { version: number, from, note, ...ended, ...told },
    });
    return { number };
  });
}

/** Under the bot's lock: nobody else takes the next number. */
async function findVersions(tx: Queryable, projectId: string, botId: string, number: number) {
  const here = and(eq(botVersion.projectId, projectId), eq(botVersion.botId, botId));
  const [top] = await tx
    .select({ newest: max(botVersion.number) })
    .from(botVersion)
    .where(here);
  const [version] = await tx
    .select()
    .from(botVersion)
    .where(and(here, eq(botVersion.number, number)));
  return { newest: top?.newest ?? 0, version };
}
