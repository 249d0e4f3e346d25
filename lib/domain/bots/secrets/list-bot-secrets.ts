import type { BotSecretRow } from '#lib/protocol/bots/secrets.ts';
import type { Ctx } from '../../access/context.ts';
import { findBotSecrets } from '../../bot-secrets/bot-secrets.ts';
import { findMaskedSecrets } from '../../projects/project-secrets.ts';
import { requireOwnBot } from '../require-own-bot.ts';

/** The names of what a bot finds in `event.secrets`, by name: its own, and those of the project that it has none in place of. */
export async function listBotSecrets(ctx: Ctx, projectId: string, botId: string): Promise<{ rows: BotSecretRow[] }> {
  await requireOwnBot(ctx, projectId, botId);
  const [own, shared] = await Promise.all([findBotSecrets(projectId, botId), findMaskedSecrets(projectId)]);
  const names = new Set(own.map(({ name }) => name));
  const rows: BotSecretRow[] = [
    ...own.map(({ name, updatedAt }) => ({ name, of: 'bot' as const, updatedAt: updatedAt.toISOString() })),
    ...shared.flatMap(({ name }) => (names.has(name) ? [] : [{ name, of: 'project' as const, updatedAt: null }])),
  ];
  return { rows: rows.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}
