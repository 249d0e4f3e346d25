import { notFound } from '#lib/base/errors.ts';
import { botSecretsTag, botTag } from '../../access/cache-tags.ts';
import type { Ctx } from '../../access/context.ts';
import { write } from '../../audit/write.ts';
import { removeBotSecret } from '../../bot-secrets/bot-secrets.ts';
import { requireOwnBot } from '../require-own-bot.ts';

/** Throws 404 when the bot has no secret of this name of its own. */
export async function deleteBotSecret(ctx: Ctx, projectId: string, botId: string, name: string): Promise<void> {
  await requireOwnBot(ctx, projectId, botId);
  await write(ctx, async (w) => {
    if (!(await removeBotSecret(w.tx, projectId, botId, name))) throw notFound();
    w.invalidate(botTag(botId));
    w.invalidate(botSecretsTag(projectId));
    w.audit({ projectId, action: 'bot.secret.delete', target: `Bot/${botId}`, before: [name] });
  });
}
