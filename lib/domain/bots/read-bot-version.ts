import { and, eq } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { db } from '#lib/infra/db/client.ts';
import { botVersion } from '#lib/infra/db/schema/bots.ts';
import type { VersionSource } from '#lib/protocol/bots/bot-versions.ts';
import type { Ctx } from '../access/context.ts';
import { named, resolveNames } from '../audit/resolve-names.ts';
import { findDeployed } from './live/find-deployed.ts';
import { requireOwnBot } from './require-own-bot.ts';

/** One version with its source, as it was deployed. Throws 404. */
export async function readBotVersion(
  ctx: Ctx,
  projectId: string,
  botId: string,
  number: string,
): Promise<VersionSource> {
  await requireOwnBot(ctx, projectId, botId);
  if (!/^[1-9]\d{0,8}$/.test(number)) throw notFound();
  const [row] = await db()
    .select()
    .from(botVersion)
    .where(
      and(eq(botVersion.projectId, projectId), eq(botVersion.botId, botId), eq(botVersion.number, Number(number))),
    );
  if (!row) throw notFound();
  const [live, names] = await Promise.all([
    findDeployed(db(), projectId, botId),
    resolveNames(projectId, [row.author]),
  ]);
  return {
    number: row.number,
    filename: row.filename,
    author: named(names, row.author),
    note: row.note,
    from: row.fromNumber,
    createdAt: row.createdAt.toISOString(),
    bytes: Buffer.byteLength(row.source) + Buffer.byteLength(row.files ?? ''),
    live: row.number === live,
    source: row.source,
    ...(row.files !== null && { files: JSON.parse(row.files) }),
  };
}
