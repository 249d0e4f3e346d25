import { and, eq, sql } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { createLiveCache, type Loaded } from '#lib/infra/db/live-cache.ts';
import { botVersion } from '#lib/infra/db/schema/bots.ts';
import type { Bot, ProjectSetting } from '#lib/protocol/fhir/types.ts';
import { botTag, membershipTag, projectTag } from '../access/cache-tags.ts';
import type { Actor } from '../access/context.ts';
import { loadBotSecrets } from '../bot-secrets/bot-secrets.ts';
import { loadSecrets } from '../projects/project-secrets.ts';
import { loadActor } from '../sessions/load-actor.ts';
import { findRow } from '../store/find-row.ts';
import { type Row, toResource } from '../store/row.ts';
import { findRunningCanary, type LoadedCanary } from './canary/canary-rows.ts';
import { type BotCode, toBotCode } from './to-bot-code.ts';

export type BotSecrets = Record<string, ProjectSetting>;

/** All that a run needs, so that a warm run asks the database nothing. */
export type LoadedBot = {
  row: Row;
  resource: Bot;
  code: BotCode | undefined;
  /** What a share of its runs is on, instead of `code`. */
  canary?: LoadedCanary;
  /** The bot's own membership; undefined when it has none, or it is inactive. */
  actor: Actor | undefined;
  secrets: BotSecrets;
};

/** Bytes of all that is kept, each character taken as two: code is as long as its author likes. */
const MOST_KEPT = 256 * 1024 * 1024;

const bots = createLiveCache<LoadedBot | undefined>(2000, { most: MOST_KEPT, sizeOf });

function sizeOf(bot: LoadedBot | undefined): number {
  const codes = [bot?.code, bot?.canary?.code];
  const ofCode = codes.reduce((sum, code) => sum + (code ? code.bundle.length + (code.sourceMap?.length ?? 0) : 0), 0);
  const ofSecrets = Object.values(bot?.secrets ?? {}).reduce(
    (sum, { valueString = '' }) => sum + valueString.length,
    0,
  );
  // The Bot is there as its text and as what was read of it; a secret in all forms that it is looked for in (secret-mask.ts).
  return 4096 + 2 * (ofCode + 2 * (bot?.row.content?.length ?? 0)) + 120 * ofSecrets;
}

/** Undefined when there is no such bot in the project. */
export function loadBot(projectId: string, botId: string): Promise<LoadedBot | undefined> {
  return bots.get(`${projectId}/${botId}`, () => load(projectId, botId));
}

async function load(projectId: string, botId: string): Promise<Loaded<LoadedBot | undefined>> {
  const row = await findRow(projectId, 'Bot', botId);
  const own: [string, ...string[]] = [botTag(botId), projectTag(projectId)];
  if (!row || row.deleted) return { value: undefined, tags: own };
  const [code, canary, actor, secrets] = await Promise.all([
    findCode(projectId, botId),
    findRunningCanary(projectId, botId),
    findActor(projectId, botId),
    secretsByName(projectId, botId),
  ]);
  const value = { row, resource: toResource<Bot>(row), code, actor: actor.value, secrets, ...(canary && { canary }) };
  return { value, tags: [...own, ...actor.tags] };
}

async function findCode(projectId: string, botId: string): Promise<BotCode | undefined> {
  const [version] = await db()
    .select({ number: botVersion.number, bundle: botVersion.bundle, sourceMap: botVersion.sourceMap })
    .from(botVersion)
    .where(
      and(
        eq(botVersion.projectId, projectId),
        eq(botVersion.botId, botId),
        sql`${botVersion.number} = (select d.number from bot_deployment d where d.project_id = ${projectId} and d.bot_id = ${botId})`,
      ),
    );
  return version && toBotCode(version);
}

/** A membership that comes to be, or back, ends "none": its writers name the bot (memberships/membership-key.ts). */
async function findActor(projectId: string, botId: string): Promise<Loaded<Actor | undefined>> {
  const [key] = await db().execute<{ membership_id: string; active: boolean }>(sql`
    select membership_id, active from membership_key where project_id = ${projectId} and user_ref = ${`Bot/${botId}`} and slot = ''`);
  if (!key) return { value: undefined, tags: [botTag(botId)] };
  if (!key.active) return { value: undefined, tags: [membershipTag(key.membership_id)] };
  return loadActor({ projectId, membershipId: key.membership_id, scope: 'openid' });
}

/** The bot's own go before the project's. */
async function secretsByName(projectId: string, botId: string): Promise<BotSecrets> {
  const [shared, own] = await Promise.all([loadSecrets(projectId), loadBotSecrets(projectId, botId)]);
  return Object.fromEntries([...shared, ...own].map((secret) => [secret.name, secret]));
}
