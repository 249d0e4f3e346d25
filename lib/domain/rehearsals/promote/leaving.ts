import { and, eq } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { db } from '#lib/infra/db/client.ts';
import { botVersion } from '#lib/infra/db/schema/bots.ts';
import { ownSources } from '#lib/protocol/bots/to-program.ts';
import type { Bot } from '#lib/protocol/fhir/types.ts';
import { type Actor, type Ctx, requireProjectAdmin } from '../../access/context.ts';
import { findDeployed } from '../../bots/live/find-deployed.ts';
import { requireBotsFeature } from '../../bots/require-bot.ts';
import { requireOwnBot } from '../../bots/require-own-bot.ts';
import { type Row, toResource } from '../../store/row.ts';
import { enterProject } from './enter-project.ts';

export type Version = typeof botVersion.$inferSelect;
/** A bot that is to go elsewhere, and the caller as an administrator of that project. */
type Leaving = { from: Row; bot: Bot; there: Ctx; actor: Actor };

/** Throws 400 for the project that the bot is in, 403 and 404 as `requireOwnBot` and `enterProject` have it. */
export async function enterWith(ctx: Ctx, projectId: string, botId: string, target: string): Promise<Leaving> {
  requireProjectAdmin(ctx, projectId);
  const from = await requireOwnBot(ctx, projectId, botId);
  if (target === projectId)
    throw new AppError('invalid', 'This is the project that the bot is in', { expression: 'project' });
  const actor = await enterProject(ctx, target);
  requireBotsFeature(actor);
  return { from, bot: toResource<Bot>(from), there: { ...ctx, actor }, actor };
}

/** Throws 409 where nothing is live. */
export async function requireLiveVersion(projectId: string, botId: string): Promise<Version> {
  const live = await findDeployed(db(), projectId, botId);
  const [version] =
    live === undefined
      ? []
      : await db()
          .select()
          .from(botVersion)
          .where(and(eq(botVersion.projectId, projectId), eq(botVersion.botId, botId), eq(botVersion.number, live)));
  if (!version) throw new AppError('conflict', 'Nothing of this bot is live: deploy it first');
  return version;
}

/** What its author wrote. */
export function sourcesOf({ source, files }: Version): string[] {
  return ownSources({ source, files: files === null ? [] : JSON.parse(files) });
}

/** How a bot runs, as far as it says so: a list of hosts there does not go where this bot has none. What makes it run (times, webhooks) each project says for itself, or it would run twice. */
export function settingsOf({ timeout, rawBody, runAsUser, allowedHost, auditEventTrigger }: Bot): Partial<Bot> {
  const said = { timeout, rawBody, runAsUser, allowedHost, auditEventTrigger };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}
