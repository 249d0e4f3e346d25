import { bury } from '../bot-events/bury.ts';
import { attemptId } from '../runs/attempt-id.ts';
import { botOf } from '../store/feeds/read-subscription.ts';
import { type Delivery, nameOf } from './delivery.ts';

/** What a subscription was to run a bot with is a dead letter. Nothing for one that tells an address. */
export async function buryDelivery(
  delivery: Delivery,
  endpoint: string | undefined,
  { message, attempts }: { message: string; attempts: number },
): Promise<void> {
  const { projectId, type, id, version } = delivery;
  const named = endpoint === undefined ? undefined : botOf({ endpoint });
  if (endpoint !== undefined && !named) return;
  await bury({
    projectId,
    id: attemptId(nameOf(delivery), 'dead'),
    botId: named && 'id' in named ? named.id : null,
    trigger: 'subscription',
    job: { name: 'hook', data: delivery },
    focus: `${type}/${id}/_history/${version}`,
    attempts,
    message,
  });
}
