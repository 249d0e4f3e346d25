import { sql } from 'drizzle-orm';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import type { BotSource } from '#lib/protocol/bots/bot-source.ts';
import type { Bot } from '#lib/protocol/fhir/types.ts';
import type { Ctx } from '../access/context.ts';
import { findCurrentBytes, readWhole } from '../bytes/find-bytes.ts';
import { MOST_SOURCE_BYTES } from '../bytes/source-hash.ts';
import { type Row, toResource } from '../store/row.ts';
import { SOURCE_TEMPLATE } from './insert-bot.ts';
import { requireOwnBot } from './require-own-bot.ts';

/**
 * The saved source, which may be ahead of what runs; what runs, while nobody has edited the source since. Empty when there is none.
 * `row` is the Bot, for its version.
 */
export async function readSource(ctx: Ctx, projectId: string, botId: string): Promise<{ row: Row; source: BotSource }> {
  const row = await requireOwnBot(ctx, projectId, botId);
  const { sourceCode } = toResource<Bot>(row);
  const code = sourceCode?.data
    ? Buffer.from(sourceCode.data, 'base64').toString('utf8')
    : await readBinary(projectId, sourceCode?.url ?? '');
  const saved = { code, filename: sourceCode?.title ?? 'index.ts', version: row.version, from: null };
  const live = await findLiveUnedited(projectId, botId, code);
  if (!live) return { row, source: saved };
  const { source, filename, number: from, files } = live;
  return {
    row,
    source: { ...saved, code: source, filename, from, ...(files !== null && { files: JSON.parse(files) }) },
  };
}

type Live = { number: number; source: string; filename: string; files: string | null };

/** A draft that is the code of any version, or what every bot starts with, is nobody's work in progress. */
async function findLiveUnedited(projectId: string, botId: string, draft: string): Promise<Live | undefined> {
  const [live] = await db().execute<Live>(sql`
    select v.number, v.source, v.filename, v.files from bot_deployment d
    join bot_version v on v.project_id = ${projectId} and v.bot_id = d.bot_id and v.number = d.number
    where d.project_id = ${projectId} and d.bot_id = ${botId} and (${draft === SOURCE_TEMPLATE || draft === ''}
      or exists (select from bot_version e where e.project_id = ${projectId} and e.bot_id = d.bot_id and e.source = ${draft}))`);
  return live;
}

/** The peer's client saves the source as a Binary of the project. */
async function readBinary(projectId: string, url: string): Promise<string> {
  const id = /(?:^|\/)Binary\/([^/]+)$/.exec(url)?.[1];
  if (!isUuid(id)) return '';
  const found = await findCurrentBytes(projectId, id);
  return found && found.size <= MOST_SOURCE_BYTES ? (await readWhole(found)).toString('utf8') : '';
}
