import { sql } from 'drizzle-orm';
import { AppError, notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import type { Actor, Ctx } from '../access/context.ts';
import { networkOf } from '../limits/network-of.ts';
import { throttle } from '../limits/throttle.ts';
import { loadActor } from '../sessions/load-actor.ts';
import { cachedActor, type LoadedActor } from '../sessions/session-cache.ts';
import { type LoadedBot, loadBot } from './load-bot.ts';

/** From one address in 15 minutes: a busy sender's, not a guesser's; and of what is proven to be of the sender's. */
const MOST_FROM_ONE = 6000;
const MOST_SIGNED = 60_000;

export type Webhook = { bot: LoadedBot; actor: Actor };

/**
 * The bot that anybody may run who knows the id of its membership (contract §2.7), and that membership, which it runs under. Only a bot
 * that says so (publicWebhook) and that a policy limits: throws 403 for every other membership, 404 for none.
 */
export async function requireWebhook(membershipId: string): Promise<Webhook> {
  if (!isUuid(membershipId)) throw notFound();
  const actor = await cachedActor(`webhook:${membershipId}`, () => loadWebhook(membershipId));
  const bot = await loadBot(actor.projectId, actor.user.slice('Bot/'.length));
  if (bot?.resource.publicWebhook !== true) throw forbidden();
  return { bot, actor };
}

/**
 * Throws 429 past 6,000 calls from one address in 15 minutes: of those for addresses that no bot has together, and of those for one bot by themselves, since
 * many projects have the same few senders. What was signed is counted apart from what only says so: who has a sender call in vain shuts nobody out.
 */
export async function throttleWebhook(ctx: Ctx, called: 'nobody' | { membershipId: string; as: Proof }): Promise<void> {
  const from = `webhook-from:${networkOf(ctx.remoteAddress)}`;
  if (called === 'nobody') return throttle(from, MOST_FROM_ONE);
  const { membershipId, as } = called;
  await throttle(`${from}:${membershipId}:${as}`, as === 'signed' ? MOST_SIGNED : MOST_FROM_ONE);
}

/** `open`: nobody signs for the bot. */
type Proof = 'open' | 'signed' | 'forged';

async function loadWebhook(membershipId: string): Promise<LoadedActor> {
  const [found] = await db().execute<{ project_id: string; user_ref: string; limited: boolean }>(sql`
    select k.project_id, k.user_ref, k.limited from membership_key k where k.membership_id = ${membershipId}`);
  if (!found) throw notFound();
  if (!found.user_ref.startsWith('Bot/') || !found.limited) throw forbidden();
  return loadActor({ projectId: found.project_id, membershipId, scope: 'openid' }).catch(asForbidden);
}

/** Inactive, or with a policy that is gone: nobody who calls without credentials is told which. */
function asForbidden(error: unknown): never {
  throw error instanceof AppError ? forbidden(error) : error;
}

function forbidden(cause?: unknown): AppError {
  return new AppError('forbidden', 'Forbidden', { cause });
}
