import { sql } from 'drizzle-orm';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import type { BotSource } from '#lib/protocol/bots/bot-source.ts';
import type { BotFile } from '#lib/protocol/bots/files.ts';
import type { Bot } from '#lib/protocol/fhir/types.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { mayReach, reach } from '../access/policy.ts';
import { findCurrentBytes, readWhole } from '../bytes/find-bytes.ts';
import { MOST_SOURCE_BYTES } from '../bytes/source-hash.ts';
import { findRow } from '../store/find-row.ts';
import { isWithinContext } from '../store/links/within-context.ts';
import { type Row, toResource } from '../store/row.ts';
import { isWithin } from '../store/within-reach.ts';
import { filesHash, findDraftFiles } from './draft/draft-rows.ts';
import { sqlIsVersion } from './draft/own-draft.ts';
import { draftFilesOf } from './draft/source-code.ts';
import { requireOwnBot } from './require-own-bot.ts';

/**
 * The saved source with its files, which may be ahead of what runs; what runs, while nobody has edited the source since. Empty when there is none.
 * `row` is the Bot, for its version.
 */
export async function readSource(ctx: Ctx, projectId: string, botId: string): Promise<{ row: Row; source: BotSource }> {
  const { row, bot, files } = await readDraft(ctx, projectId, botId);
  const { sourceCode } = bot;
  const code = sourceCode?.data
    ? Buffer.from(sourceCode.data, 'base64').toString('utf8')
    : await readBinary(ctx, projectId, sourceCode?.url ?? '');
  const filename = sourceCode?.title ?? 'index.ts';
  const saved = { code, filename, version: row.version, from: null };
  const live = await findLive(projectId, botId, { code, filename, files });
  if (!live?.unedited)
    return {
      row,
      source: { ...saved, ...(files === undefined ? toFiles(live?.files) : { files: JSON.parse(files) }) },
    };
  return {
    row,
    source: { ...saved, code: live.source, filename: live.filename, from: live.number, ...toFiles(live.files) },
  };
}

/** Somebody may save between both questions. */
async function readDraft(ctx: Ctx, projectId: string, botId: string, attempts = 3) {
  const row = await requireOwnBot(ctx, projectId, botId);
  const bot = toResource<Bot>(row);
  const named = draftFilesOf(bot);
  const files = named === undefined ? undefined : await findDraftFiles(projectId, botId, named);
  if (named === undefined || files !== undefined || attempts === 1) return { row, bot, files };
  return readDraft(ctx, projectId, botId, attempts - 1);
}

function toFiles(text: string | null | undefined): Pick<BotSource, 'files'> {
  const files: BotFile[] = JSON.parse(text ?? '[]');
  return files.length > 0 ? { files } : {};
}

type Draft = { code: string; filename: string; files: string | undefined };
type Live = { number: number; source: string; filename: string; files: string | null; unedited: boolean };

/** The files of a draft that was saved without a word of them are those of what is live under its name. */
async function findLive(projectId: string, botId: string, draft: Draft): Promise<Live | undefined> {
  const { code, filename, files } = draft;
  const isPlain = files === undefined;
  const isVersion = sqlIsVersion({ projectId, botId }, { code, filename, filesHash: files && filesHash(files) });
  const [live] = await db().execute<Live>(sql`
    select l.number, l.filename, l.unedited, case when l.unedited then l.source end as source,
      case when l.unedited or ${isPlain} and l.filename = ${filename} then l.files end as files
    from (
      select v.*, ${isVersion} as unedited
      from bot_deployment d
      join bot_version v on v.project_id = ${projectId} and v.bot_id = d.bot_id and v.number = d.number
      where d.project_id = ${projectId} and d.bot_id = ${botId}) as l`);
  return live;
}

/** The peer's client saves the source as a Binary of the project. Of one that the caller may not read nothing is told, as of none. */
async function readBinary(ctx: Ctx, projectId: string, url: string): Promise<string> {
  const id = /(?:^|\/)Binary\/([^/]+)$/.exec(url)?.[1];
  if (!isUuid(id) || !(await mayReadBinary(ctx, projectId, id))) return '';
  const found = await findCurrentBytes(projectId, id);
  return found && found.size <= MOST_SOURCE_BYTES ? (await readWhole(found)).toString('utf8') : '';
}

async function mayReadBinary(ctx: Ctx, projectId: string, id: string): Promise<boolean> {
  const actor = requireActor(ctx);
  if (!mayReach(actor, 'Binary', 'read')) return false;
  const row = await findRow(projectId, 'Binary', id);
  if (!row || row.deleted || !(await isWithin(reach(actor, 'Binary', 'read'), row))) return false;
  return isWithinContext(ctx, row);
}
