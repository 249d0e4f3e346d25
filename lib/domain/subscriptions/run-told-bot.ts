import { notFound } from '#lib/base/errors.ts';
import type { Actor, Ctx } from '../access/context.ts';
import { botBridge } from '../rest/bot-bridge.ts';
import { attemptId } from '../runs/attempt-id.ts';
import { executeBot } from '../runs/execute-bot.ts';
import type { Feed } from '../store/feeds/read-subscription.ts';
import { type Row, toWire } from '../store/row.ts';
import { runBotJob } from '../triggers/run-bot-job.ts';
import { type Delivery, keyOf, nameOf } from './delivery.ts';
import { findToldBot } from './find-told-bot.ts';

type Told = { actor: Actor; row: Row; feed: Feed };

/**
 * Runs the bot to which a subscription leads with what changed, as its author may run it, when it is the turn of the project: by an identifier the one
 * that has it now. Resolves to what it did wrong for good, which is a dead letter then. Throws when it is to be tried again.
 */
export async function runToldBot(
  delivery: Delivery,
  { actor, row, feed }: Told,
  attempt: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { projectId, op, subscriptionId, depth, type, id, version } = delivery;
  const ctx: Ctx = {
    requestId: `subscription-${subscriptionId}`,
    remoteAddress: '',
    userAgent: '',
    actor,
    depth: Number(depth) + 1,
  };
  const headers = {
    'idempotency-key': keyOf(delivery),
    'x-medplum-subscription': subscriptionId,
    'x-medplum-interaction': op,
    ...(op === 'delete' && { 'x-medplum-deleted-resource': `${row.type}/${row.id}` }),
  };
  const key = nameOf(delivery);
  const rawText = toWire(row, false);
  const event = { kind: 'json' as const, text: rawText };
  const given = { event, rawText, contentType: 'application/fhir+json' };
  return runBotJob(
    {
      key,
      attempts: feed.attempts,
      burial: {
        projectId,
        id: attemptId(key, 'dead'),
        trigger: 'subscription',
        focus: `${type}/${id}/_history/${version}`,
        job: { name: 'hook', data: delivery },
      },
      findBot: async () => {
        const botId = await findToldBot(ctx, feed);
        if (botId === undefined) throw notFound();
        return botId;
      },
      given,
      run: (botId, runId) => {
        const job = { signal, begin: async () => {} };
        const input = { ...given, headers, trigger: 'subscription' as const, job, runId, eventKey: key };
        return executeBot(ctx, botId, input, botBridge);
      },
    },
    attempt,
    signal,
  );
}
