import { sql } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { allowsHost } from '#lib/protocol/bots/allowed-hosts.ts';
import type { RunCall } from '#lib/protocol/bots/runs/bot-runs.ts';
import { usedWants } from '#lib/protocol/bots/wants/used-wants.ts';
import { keyOf, type Refused, type Want, type WantsChange } from '#lib/protocol/bots/wants/wants.ts';
import { mayReach } from '../access/policy.ts';
import { findSources } from '../bots/live/find-sources.ts';
import { wantsOf } from '../bots/live/wants-of.ts';
import { type LoadedBot, loadBot } from '../bots/load-bot.ts';

/** Newest runs whose calls are looked at. */
const RUNS = 100;

/**
 * What these sources want that the bot's live version does not, and no more; and whatever of it would be refused today. What the live version's runs have
 * really used counts as wanted by it, too: its source may not tell.
 */
export async function changeOfWants(
  projectId: string,
  botId: string,
  sources: readonly string[],
): Promise<WantsChange> {
  const [bot, live, calls, draft] = await Promise.all([
    loadBot(projectId, botId),
    findSources(projectId, botId),
    findCalls(projectId, botId),
    wantsOf(projectId, sources),
  ]);
  const before = live ? (await wantsOf(projectId, live)).wants : [];
  const used = usedWants(calls).wants;
  const known = new Set([...before, ...(live ? used : [])].map(keyOf));
  const wanted = new Set(draft.wants.map(keyOf));
  return {
    added: draft.wants.filter((want) => !known.has(keyOf(want))),
    removed: before.filter((want) => !wanted.has(keyOf(want))),
    refused: bot ? refusedOf(bot, draft.wants) : [],
    unclear: draft.unclear,
  };
}

/** Of a bot that runs as its caller the rights are not known before. */
export function refusedOf(
  { resource, actor, secrets }: Pick<LoadedBot, 'resource' | 'actor' | 'secrets'>,
  wants: readonly Want[],
): Refused[] {
  return wants.flatMap((want): Refused[] => {
    if (want.kind === 'secret') return Object.hasOwn(secrets, want.name) ? [] : [{ ...want, because: 'secret' }];
    if (want.kind === 'host') {
      const hosts = resource.allowedHost ?? actor?.botHosts;
      return allowsHost(hosts, want.name) ? [] : [{ ...want, because: 'host' }];
    }
    if (want.kind === 'call' || !actor || resource.runAsUser) return [];
    return mayReach(actor, want.type, want.interaction) ? [] : [{ ...want, because: 'policy' }];
  });
}

async function findCalls(projectId: string, botId: string): Promise<RunCall[]> {
  const rows = await db().execute<{ calls: RunCall[] }>(sql`
    select calls from (
      select calls from bot_run where project_id = ${projectId}::uuid and bot_id = ${botId}::uuid
      order by started_at desc, id limit ${RUNS}) as r
    where calls is not null`);
  return rows.flatMap(({ calls }) => calls);
}
