import { and, eq, max } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { botVersion } from '#lib/infra/db/schema/bots.ts';
import type { Promotion, PromotionQuery, SettingChange } from '#lib/protocol/bots/promote.ts';
import { parseSearch } from '#lib/protocol/fhir/search/parse-search.ts';
import type { AccessPolicy, Bot } from '#lib/protocol/fhir/types.ts';
import { isSameJson } from '#lib/protocol/json/json.ts';
import type { Actor, Ctx } from '../../access/context.ts';
import { reach } from '../../access/policy.ts';
import { holdsOwnDraft } from '../../bots/draft/own-draft.ts';
import { findDeployed } from '../../bots/live/find-deployed.ts';
import { wantsOf } from '../../bots/live/wants-of.ts';
import { type LoadedBot, loadBot } from '../../bots/load-bot.ts';
import { loadSecrets } from '../../projects/project-secrets.ts';
import { toResource } from '../../store/row.ts';
import { searchRows } from '../../store/search-rows.ts';
import { refusedOf } from '../change-of-wants.ts';
import { findNamesake } from './find-namesake.ts';
import { enterWith, requireLiveVersion, settingsOf, sourcesOf, type Version } from './leaving.ts';

/**
 * What a promotion would do, and what the bot would lack there; nothing changes. Throws 403 and 404 as `enterWith` has it, 409 where nothing is live or
 * nothing names the bot, 412 for several.
 */
export async function previewPromotion(
  ctx: Ctx,
  projectId: string,
  botId: string,
  { project, settings }: PromotionQuery,
): Promise<Promotion> {
  const { bot, there, actor } = await enterWith(ctx, projectId, botId, project);
  const version = await requireLiveVersion(projectId, botId);
  const namesake = await findNamesake(there, bot.identifier ?? []);
  const loaded = namesake === undefined ? undefined : await loadBot(project, namesake);
  const sources = sourcesOf(version);
  const [{ wants }, next, live] = await Promise.all([
    wantsOf(projectId, sources),
    nextNumber(project, namesake),
    namesake === undefined ? undefined : findDeployed(db(), project, namesake),
  ]);
  const said = settingsOf(bot);
  const known = loaded ?? (await asMade(actor, said));
  const resource = settings === 'true' ? { ...known.resource, ...said } : known.resource;
  return {
    version: version.number,
    bot: loaded
      ? { reference: `Bot/${loaded.row.id}`, ...(loaded.resource.name && { display: loaded.resource.name }) }
      : null,
    next,
    live: live ?? null,
    isSame:
      namesake !== undefined && live !== undefined && isSame(version, await requireLiveVersion(project, namesake)),
    keepsDraft:
      loaded !== undefined && (await holdsOwnDraft(db(), project, { ...loaded.resource, id: loaded.row.id }, version)),
    settings: toChanges(said, loaded?.resource),
    refused: refusedOf({ ...known, resource }, wants),
    made: namesake === undefined ? await choicesOf(actor) : null,
  };
}

/** As many are offered. */
const MOST_POLICIES = 1000;

async function choicesOf(actor: Actor): Promise<Promotion['made']> {
  const query = parseSearch('AccessPolicy', [['_sort', 'name']], actor.projectId);
  const seen = reach(actor, 'AccessPolicy', 'search');
  const { rows } = await searchRows(actor.projectId, { ...query, count: MOST_POLICIES }, seen);
  const policies = rows.map((row) => {
    return { reference: `AccessPolicy/${row.id}`, display: toResource<AccessPolicy>(row).name ?? row.id };
  });
  return { policies, requiresPolicy: actor.requiresPolicy === true };
}

/** With all of its files. */
function isSame(here: Version, there: Version): boolean {
  return here.source === there.source && here.files === there.files;
}

async function nextNumber(projectId: string, botId: string | undefined): Promise<number> {
  if (botId === undefined) return 1;
  const [top] = await db()
    .select({ newest: max(botVersion.number) })
    .from(botVersion)
    .where(and(eq(botVersion.projectId, projectId), eq(botVersion.botId, botId)));
  return (top?.newest ?? 0) + 1;
}

/** A bot that is made there has its settings, the project's hosts where it names none, and the project's secrets; its rights are nobody's yet. */
async function asMade(actor: Actor, said: Partial<Bot>): Promise<Pick<LoadedBot, 'resource' | 'actor' | 'secrets'>> {
  const secrets = Object.fromEntries((await loadSecrets(actor.projectId)).map((secret) => [secret.name, secret]));
  const resource = { resourceType: 'Bot', allowedHost: actor.botHosts, ...said } as Bot;
  return { resource, actor: undefined, secrets };
}

function toChanges(said: Partial<Bot>, there: Bot | undefined): SettingChange[] {
  return Object.entries(said).flatMap(([name, here]) => {
    const value = there?.[name as keyof Bot];
    if (isSameJson(value ?? null, here)) return [];
    return [{ name, here, ...(value !== undefined && { there: value }) }];
  });
}
