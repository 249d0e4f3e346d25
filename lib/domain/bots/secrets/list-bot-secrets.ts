import type { BotSecretList } from '#lib/protocol/bots/secrets.ts';
import { secretNameRequest } from '#lib/protocol/requests/project-settings.ts';
import type { Ctx } from '../../access/context.ts';
import { findBotSecrets } from '../../bot-secrets/bot-secrets.ts';
import { findMaskedSecrets } from '../../projects/project-secrets.ts';
import { findSources } from '../live/find-sources.ts';
import { wantsOf } from '../live/wants-of.ts';
import { requireOwnBot } from '../require-own-bot.ts';

/**
 * The names of what a bot finds in `event.secrets`, by name: its own, and those of the project that it has none in place of; and which of them its code
 * reads, as far as its text tells.
 */
export async function listBotSecrets(ctx: Ctx, projectId: string, botId: string): Promise<BotSecretList> {
  await requireOwnBot(ctx, projectId, botId);
  const [own, shared, named] = await Promise.all([
    findBotSecrets(projectId, botId),
    findMaskedSecrets(projectId),
    findNamed(projectId, botId),
  ]);
  const ours = new Set(own.map(({ name }) => name));
  const others = shared
    .filter(({ name }) => !ours.has(name))
    .map(({ name }) => ({ name, of: 'project' as const, updatedAt: null }));
  const found = [
    ...own.map(({ name, updatedAt }) => ({ name, of: 'bot' as const, updatedAt: updatedAt.toISOString() })),
    ...others,
  ];
  const rows = found.map((row) => ({ ...row, isNamed: named.has(row.name) }));
  const known = new Set(rows.map(({ name }) => name));
  return {
    rows: rows.sort((a, b) => (a.name < b.name ? -1 : 1)),
    missing: [...named].filter((name) => !known.has(name)).sort(),
  };
}

async function findNamed(projectId: string, botId: string): Promise<Set<string>> {
  const sources = await findSources(projectId, botId);
  const { wants } = await wantsOf(projectId, sources ?? []);
  return new Set(wants.flatMap((want) => (want.kind === 'secret' && maySet(want.name) ? [want.name] : [])));
}

/** What every object has is no secret, nor is what none may be called. */
function maySet(name: string): boolean {
  return !(name in Object.prototype) && secretNameRequest.safeParse(name).success;
}
