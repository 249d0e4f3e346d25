import { and, desc, eq, sql } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { botVersion } from '#lib/infra/db/schema/bots.ts';
import type { BotVersions } from '#lib/protocol/bots/bot-versions.ts';
import type { Ctx } from '../access/context.ts';
import { named, resolveNames } from '../audit/resolve-names.ts';
import { isFromElsewhere } from './is-from-elsewhere.ts';
import { findDeployed } from './live/find-deployed.ts';
import { requireOwnBot } from './require-own-bot.ts';

const MOST = 1000;

/** Newest first. Throws what `requireOwnBot` throws. */
export async function listBotVersions(ctx: Ctx, projectId: string, botId: string): Promise<BotVersions> {
  await requireOwnBot(ctx, projectId, botId);
  const [live, elsewhere, rows] = await Promise.all([
    findDeployed(db(), projectId, botId),
    isFromElsewhere(projectId, botId),
    db()
      .select({
        number: botVersion.number,
        filename: botVersion.filename,
        author: botVersion.author,
        note: botVersion.note,
        from: botVersion.fromNumber,
        createdAt: botVersion.createdAt,
        bytes: sql<number>`octet_length(${botVersion.source}) + coalesce(octet_length(${botVersion.files}), 0)`,
      })
      .from(botVersion)
      .where(and(eq(botVersion.projectId, projectId), eq(botVersion.botId, botId)))
      .orderBy(desc(botVersion.number))
      .limit(MOST),
  ]);
  const names = await resolveNames(
    projectId,
    rows.map((row) => row.author),
  );
  return {
    live: live ?? null,
    elsewhere,
    rows: rows.map((row) => ({
      ...row,
      author: named(names, row.author),
      createdAt: row.createdAt.toISOString(),
      live: row.number === live,
    })),
  };
}
