import { AppError } from '#lib/base/errors.ts';
import type { ProjectSetting } from '#lib/protocol/fhir/types.ts';
import { secretNameRequest } from '#lib/protocol/requests/project-settings.ts';
import { botSecretsTag, botTag } from '../../access/cache-tags.ts';
import { type Ctx, requireProjectAdmin } from '../../access/context.ts';
import { write } from '../../audit/write.ts';
import { saveBotSecrets } from '../../bot-secrets/bot-secrets.ts';
import { requireProof } from '../../proofs/require-proof.ts';
import { lockRow, requireLive } from '../../store/find-row.ts';
import { requireOwnBot } from '../require-own-bot.ts';

/** Sets a secret of this bot's own, new or not: it goes before one of the project's with the same name. No read ever tells it. */
export async function putBotSecret(ctx: Ctx, projectId: string, botId: string, secret: ProjectSetting): Promise<void> {
  const actor = requireProjectAdmin(ctx, projectId);
  const name = secretNameRequest.safeParse(secret.name);
  if (!name.success) throw new AppError('invalid', name.error.issues[0]!.message, { expression: 'name' });
  await requireOwnBot(ctx, projectId, botId);
  await write(ctx, async (w) => {
    await requireProof(actor, w.tx);
    requireLive(await lockRow(w.tx, projectId, 'Bot', botId));
    await saveBotSecrets(w.tx, projectId, botId, { secrets: [secret], expression: 'name' });
    w.invalidate(botTag(botId));
    w.invalidate(botSecretsTag(projectId));
    w.audit({ projectId, action: 'bot.secret.set', target: `Bot/${botId}`, after: [secret.name] });
  });
}
