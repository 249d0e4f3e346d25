import { AppError } from '#lib/base/errors.ts';
import type { Bot } from '#lib/protocol/fhir/types.ts';
import type { SaveSourceRequest } from '#lib/protocol/requests/bot-console.ts';
import { botTag } from '../access/cache-tags.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { lockRow, requireLive } from '../store/find-row.ts';
import { type Row, toResource } from '../store/row.ts';
import { updateRow } from '../store/update-row.ts';
import { requireOwnBot } from './require-own-bot.ts';

/** Keeps the source with the bot, without deploying it. Throws 412 when the caller saw another version of the Bot. */
export async function saveSource(
  ctx: Ctx,
  projectId: string,
  botId: string,
  { code, filename }: SaveSourceRequest,
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
    const contentType = /\.[mc]?js$/.test(title) ? 'text/javascript' : 'text/typescript';
    const sourceCode = { contentType, title, data: Buffer.from(code).toString('base64') };
    const saved = await updateRow(w, row, { ...bot, sourceCode }, actor.profile);
    w.invalidate(botTag(botId));
    const after = { filename: title, bytes: Buffer.byteLength(code) };
    w.audit({ projectId, action: 'bot.save', target: `Bot/${botId}`, after });
    return saved;
  });
}
