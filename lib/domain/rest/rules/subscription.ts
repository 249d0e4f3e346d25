import { AppError } from '#lib/base/errors.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { subscriptionsTag } from '../../access/cache-tags.ts';
import { type Actor, type Ctx, callerOf } from '../../access/context.ts';
import { requireBot } from '../../bots/require-bot.ts';
import { countLive, MOST_LIVE } from '../../store/feeds/announce.ts';
import { readSubscription, type Subscription } from '../../store/feeds/read-subscription.ts';
import type { TypeRule } from '../type-rule.ts';

/** What is asked for is active at once, when all that it says is honoured; the error of the time before is then over. */
export const subscriptionRule: TypeRule = {
  async prepare({ ctx, actor, projectId, after }) {
    const given = after as unknown as Subscription;
    if (isStandingBy(given)) return after;
    requireUnscoped(actor);
    requireSubscription(projectId, after);
    await requireRunnable(ctx, given.channel?.endpoint ?? '');
    if ((await countLive(ctx.write.tx, projectId, after.id)) >= MOST_LIVE) {
      throw new AppError('business-rule', `A project has ${MOST_LIVE} active subscriptions at most`, {
        expression: 'Subscription.status',
      });
    }
    if (given.status !== 'requested') return after;
    const { error: _, ...rest } = given;
    return { ...rest, status: 'active' } as Resource;
  },
  changed: (w, row) => w.invalidate(subscriptionsTag(row.projectId)),
};

/** Throws 422 for an active one that cannot be honoured. */
export function requireSubscription(projectId: string, resource: Resource): void {
  const subscription = resource as unknown as Subscription;
  if (isStandingBy(subscription)) return;
  const { end } = readSubscription(projectId, subscription);
  if (end <= Date.now()) throw new AppError('business-rule', 'It has ended', { expression: 'Subscription.end' });
}

/** Throws 422 for a bot that the author cannot run. */
async function requireRunnable(ctx: Ctx, endpoint: string): Promise<void> {
  const [type, id = ''] = endpoint.split('/');
  if (type !== 'Bot') return;
  try {
    await requireBot(ctx, id, 'read');
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError('business-rule', `${endpoint} is no bot that you may run`, {
      expression: 'Subscription.channel.endpoint',
    });
  }
}

function isStandingBy({ status }: Subscription): boolean {
  return status === 'off' || status === 'error';
}

/** What is delivered lies within the rights of a membership, and those of a token with scopes for resources are less and end with it. */
function requireUnscoped(actor: Actor): void {
  if (!callerOf(actor).policy.scope && !actor.policy.scope) return;
  const text = 'This token is limited to some records: sign in without scopes for resources to let a subscription fire';
  throw new AppError('forbidden', text);
}
