import { AppError } from '#lib/base/errors.ts';
import { toProgram } from '#lib/protocol/bots/to-program.ts';
import type { Bot } from '#lib/protocol/fhir/types.ts';
import type { SaveSourceRequest } from '#lib/protocol/requests/bot-console.ts';
import { botTag } from '../access/cache-tags.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { lockRow, requireLive } from '../store/find-row.ts';
import { type Row, toResource } from '../store/row.ts';
import { updateRow } from '../store/update-row.ts';
import { requireShort } from './deploy-bot.ts';
import { toFilesText } from './draft/draft-rows.ts';
import { toSourceCode } from './draft/source-code.ts';
import { requireOwnBot } from './require-own-bot.ts';

/** Keeps the source with the bot, and its other files, without deploying it. Throws 400 for names that are no program, 413 for more than 5 MiB, 412 when the caller saw another version of the Bot. */
export async function saveSource(
  ctx: Ctx,
  projectId: string,
  botId: string,
  { code, filename, files }: SaveSourceRequest,
  ifMatch?: string[] | '*',
): Promise<Row> {
  const actor = requireProjectAdmin(ctx, projectId);
  await requireOwnBot(ctx, projectId, botId);
  return write(ctx, async (w) => {
    const row = requireLive(await lockRow(w.tx, projectId, 'Bot', botId));
    if (ifMatch && ifMatch !== '*' && !ifMatch.includes(String(row.version))) {
      throw new AppError('precondition-failed', `The bot was changed meanwhile: it is at version ${row.version}`);
    }
    const bot = toResource<Bot>(row);
    const title = filename ?? bot.sourceCode?.title ?? 'index.ts';
    if (files) requireShort(toProgram({ code, filename: title, files })!);
    const draft = { filename: title, source: code, files: files && toFilesText(files) };
    const sourceCode = await toSourceCode(w.tx, projectId, { ...bot, id: botId }, draft);
    const saved = await updateRow(w, row, { ...bot, sourceCode }, actor.profile);
    w.invalidate(botTag(botId));
    const after = { filename: title, bytes: Buffer.byteLength(code), ...(files && { files: files.length }) };
    w.audit({ projectId, action: 'bot.save', target: `Bot/${botId}`, after });
    return saved;
  });
}
