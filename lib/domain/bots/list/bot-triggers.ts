import { and, eq } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { hl7Feed } from '#lib/infra/db/schema/hl7.ts';
import { readBouncesBot } from '#lib/protocol/bots/mail-bounces.ts';
import { BOT_TRIGGERS, type BotTrigger } from '#lib/protocol/bots/triggers.ts';
import { parseSearch } from '#lib/protocol/fhir/search/parse-search.ts';
import type { Identifier, Project } from '#lib/protocol/fhir/types.ts';
import { ALL } from '../../access/rule.ts';
import { botOf, type Subscription } from '../../store/feeds/read-subscription.ts';
import { findRow } from '../../store/find-row.ts';
import { toResource } from '../../store/row.ts';
import { searchRows } from '../../store/search-rows.ts';

/** Subscriptions that are looked at; those of WebSockets, of which there may be many, are none of them. */
const MOST_SUBSCRIPTIONS = 5000;

/** What a bot says of itself, as far as it tells what runs it. */
export type Known = { id: string; identifier: readonly Identifier[]; isScheduled: boolean; isWebhook: boolean };

/** What runs each of these bots beside a call, in the order of `BOT_TRIGGERS`. */
export async function findTriggers(projectId: string, bots: readonly Known[]): Promise<Map<string, BotTrigger[]>> {
  const [told, feeds, project] = await Promise.all([
    findTold(projectId, bots),
    db()
      .selectDistinct({ botId: hl7Feed.botId })
      .from(hl7Feed)
      .where(and(eq(hl7Feed.projectId, projectId), eq(hl7Feed.active, true))),
    findRow(projectId, 'Project', projectId),
  ]);
  const listens = new Set(feeds.map(({ botId }) => botId));
  const bounces = project && readBouncesBot(toResource<Project>(project).setting ?? []);
  return new Map(
    bots.map(({ id, isScheduled, isWebhook }) => {
      const is: Record<BotTrigger, boolean> = {
        subscription: told.has(id),
        cron: isScheduled,
        webhook: isWebhook,
        hl7: listens.has(id),
        mail: id === bounces,
      };
      return [id, BOT_TRIGGERS.filter((trigger) => is[trigger])];
    }),
  );
}

/** The bots that an active Subscription names: by the id, or by an identifier that one of them alone has. */
async function findTold(projectId: string, bots: readonly Known[]): Promise<Set<string>> {
  const active: [string, string][] = [
    ['status', 'active'],
    ['type', 'rest-hook'],
  ];
  const { rows } = await searchRows(
    projectId,
    { ...parseSearch('Subscription', active, projectId), count: MOST_SUBSCRIPTIONS },
    ALL,
  );
  const byName = Map.groupBy(
    bots.flatMap(({ id, identifier }) =>
      identifier.flatMap(({ system, value }) =>
        value === undefined ? [] : [[value, id] as const, ...(system ? [[`${system}|${value}`, id] as const] : [])],
      ),
    ),
    ([name]) => name,
  );
  const told = rows.flatMap((row) => {
    const { endpoint = '' } = toResource<Subscription>(row).channel ?? {};
    const named = botOf({ endpoint });
    if (!named) return [];
    if ('id' in named) return [named.id];
    const ids = new Set(byName.get(named.identifier)?.map(([, id]) => id));
    return ids.size === 1 ? [...ids] : [];
  });
  return new Set(told);
}
