import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { attemptId } from '../runs/attempt-id.ts';
import { findAttempts } from '../runs/find-attempts.ts';
import { botOf, type Subscription } from '../store/feeds/read-subscription.ts';
import { findVersion } from '../store/find-history.ts';
import { type Row, toResource } from '../store/row.ts';
import { buryDelivery } from './bury-delivery.ts';
import { type Delivery, nameOf } from './delivery.ts';

/**
 * What was accepted and finds nobody to tell it any more does not vanish: it is a dead letter where a bot was to run, else a failure of its subscription
 * in the audit log. `attempt`: the one that found it so. Nothing where a run of an earlier one went well.
 */
export async function keepUntold(
  delivery: Delivery,
  subscription: Row | undefined,
  { why, attempt }: { why: string; attempt: number },
): Promise<void> {
  // Without a trace: it went with its project.
  if (!subscription && delivery.replay === undefined) return;
  const { projectId, subscriptionId, type, id, version } = delivery;
  const endpoint = await endpointOf(subscription);
  const named = endpoint !== undefined && botOf({ endpoint }) ? endpoint : undefined;
  // What is replayed was for a bot.
  if (endpoint === undefined || named || delivery.replay !== undefined) {
    const earlier = Array.from({ length: attempt - 1 }, (_, at) => attemptId(nameOf(delivery), at + 1));
    const runs = await findAttempts(projectId, earlier);
    if (runs.some(({ status }) => status === 'ok')) return;
    const message = `Subscription/${subscriptionId} ${why}`;
    return buryDelivery(delivery, named, { message, attempts: runs.length });
  }
  const ctx: Ctx = { requestId: `subscription-${subscriptionId}`, remoteAddress: '', userAgent: '' };
  await write(ctx, async (w) => {
    const after = { delivery: `${type}/${id}/_history/${version}`, because: why };
    w.audit({ projectId, action: 'resource.update', target: `Subscription/${subscriptionId}`, outcome: 4, after });
  });
}

/** Whom it tells, or told before it was deleted; undefined where nobody knows. */
async function endpointOf(row: Row | undefined): Promise<string | undefined> {
  if (!row) return undefined;
  const version = row.deleted ? await findVersion(row.projectId, 'Subscription', row.id, row.version - 1) : row;
  if (!version || version.deleted) return undefined;
  const subscription = toResource<Subscription>(version);
  return subscription.channel?.type === 'websocket' ? 'ws:' : subscription.channel?.endpoint;
}
