import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import type { Bot } from '#lib/protocol/fhir/types.ts';
import { SOURCE_TEMPLATE } from '../insert-bot.ts';
import { filesHash as hashOf } from './draft-rows.ts';
import { draftFilesOf, sqlVersionFiles } from './source-code.ts';

/** `filesHash`: of its other files, where it was saved with a word of them. */
type Draft = { code: string; filename: string; filesHash: string | undefined };
type Of = { projectId: string; botId: string };

/**
 * Whether a draft is any version, or what every bot starts with, in SQL: nobody's work in progress. One that was saved without a word of files is any
 * version with this code.
 */
export function sqlIsVersion({ projectId, botId }: Of, { code, filename, filesHash }: Draft): SQL {
  const isPlain = filesHash === undefined;
  const isSame = isPlain ? sql`` : sql`and v.filename = ${filename} and ${sqlVersionFiles} = ${filesHash}`;
  return sql`(${isPlain && (code === SOURCE_TEMPLATE || code === '')} or exists (
    select from bot_version v where v.project_id = ${projectId} and v.bot_id = ${botId} and v.source = ${code} ${isSame}))`;
}

type Arriving = { source: string; filename: string; files: string | null };

/**
 * Whether the saved source of a bot is somebody's work that no version has, nor what is `arriving`: it would be lost with what is put in its place. A
 * Binary is not lost.
 */
export async function holdsOwnDraft(
  tx: Queryable,
  projectId: string,
  bot: Bot & { id: string },
  arriving?: Arriving,
): Promise<boolean> {
  const { data, title = 'index.ts' } = bot.sourceCode ?? {};
  if (data === undefined) return false;
  const draft = { code: Buffer.from(data, 'base64').toString(), filename: title, filesHash: draftFilesOf(bot) };
  if (arriving && isOf(draft, arriving)) return false;
  const is = sqlIsVersion({ projectId, botId: bot.id }, draft);
  const [found] = await tx.execute<{ is: boolean }>(sql`select ${is} as is`);
  return !found!.is;
}

function isOf(draft: Draft, { source, filename, files }: Arriving): boolean {
  const hasFiles = draft.filesHash === undefined || draft.filesHash === hashOf(files ?? '[]');
  return draft.code === source && hasFiles && (draft.filesHash === undefined || draft.filename === filename);
}
