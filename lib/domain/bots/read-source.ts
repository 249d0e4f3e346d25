import { and, eq } from 'drizzle-orm';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { binaryContent } from '#lib/infra/db/schema/operations.ts';
import type { BotSource } from '#lib/protocol/answers/bot-source.ts';
import type { Bot } from '#lib/protocol/fhir/types.ts';
import type { Ctx } from '../access/context.ts';
import { type Row, toResource } from '../store/row.ts';
import { requireOwnBot } from './require-own-bot.ts';

/** The saved source, which may be ahead of what runs. Empty when there is none. `row` is the Bot, for its version. */
export async function readSource(ctx: Ctx, projectId: string, botId: string): Promise<{ row: Row; source: BotSource }> {
  const row = await requireOwnBot(ctx, projectId, botId);
  const { sourceCode } = toResource<Bot>(row);
  const code = sourceCode?.data
    ? Buffer.from(sourceCode.data, 'base64').toString('utf8')
    : await readBinary(projectId, sourceCode?.url ?? '');
  return { row, source: { code, filename: sourceCode?.title ?? 'index.ts', version: row.version } };
}

/** The peer's client saves the source as a Binary of the project. */
async function readBinary(projectId: string, url: string): Promise<string> {
  const id = /(?:^|\/)Binary\/([^/]+)$/.exec(url)?.[1];
  if (!isUuid(id)) return '';
  const [content] = await db()
    .select({ data: binaryContent.data })
    .from(binaryContent)
    .where(and(eq(binaryContent.projectId, projectId), eq(binaryContent.id, id)));
  return content ? Buffer.from(content.data).toString('utf8') : '';
}
