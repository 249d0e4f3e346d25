import { AppError } from '#lib/base/errors.ts';
import type { Actor, Ctx } from '../access/context.ts';
import { botBridge } from '../rest/bot-bridge.ts';
import { executeBot } from '../runs/execute-bot.ts';
import { type Row, toWire } from '../store/row.ts';
import type { Delivery } from './delivery.ts';

type Told = { actor: Actor; row: Row; botId: string };

/**
 * Runs the bot to which a subscription leads with what changed, as its author may run it, when it is the turn of the project. What it does wrong is
 * told, and is no reason to run it again. Throws when the process stops, so that another runs it.
 */
export async function runToldBot(
  { op, subscriptionId, depth }: Delivery,
  { actor, row, botId }: Told,
  signal: AbortSignal,
): Promise<string | undefined> {
  const ctx: Ctx = {
    requestId: `subscription-${subscriptionId}`,
    remoteAddress: '',
    userAgent: '',
    actor,
    depth: Number(depth) + 1,
  };
  const headers = {
    'x-medplum-subscription': subscriptionId,
    'x-medplum-interaction': op,
    ...(op === 'delete' && { 'x-medplum-deleted-resource': `${row.type}/${row.id}` }),
  };
  const rawText = toWire(row, false);
  const event = { kind: 'json' as const, value: JSON.parse(rawText) };
  const job = { signal, begin: async () => {} };
  const input = {
    event,
    rawText,
    contentType: 'application/fhir+json',
    headers,
    trigger: 'subscription' as const,
    job,
  };
  try {
    const result = await executeBot(ctx, botId, input, botBridge);
    signal.throwIfAborted();
    return result.ok ? undefined : 'the bot failed: its runs say why';
  } catch (error) {
    if (signal.aborted || !(error instanceof AppError)) throw error;
    return error.message;
  }
}
