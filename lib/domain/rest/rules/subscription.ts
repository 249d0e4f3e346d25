import { AppError } from '#lib/base/errors.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { listenedTag, subscriptionsTag } from '../../access/cache-tags.ts';
import { type Actor, type Ctx, callerOf, type Write } from '../../access/context.ts';
import { requireBot } from '../../bots/require-bot.ts';
import { deleteRow } from '../../store/delete-row.ts';
import { countLive, MOST_LIVE } from '../../store/feeds/announce.ts';
import { asksHidden } from '../../store/feeds/asks-hidden.ts';
import { forgetListening, isForSockets, listOfMember, noteListening } from '../../store/feeds/listening.ts';
import { botOf, readSubscription, type Subscription } from '../../store/feeds/read-subscription.ts';
import { lockRow } from '../../store/find-row.ts';
import { auditEntry } from '../audit-entry.ts';
import type { TypeRule } from '../type-rule.ts';

/** For sockets, of one member: every page of an app that is opened makes one. */
const MOST_OF_MEMBER = 100;

/** What is asked for is active at once, when all that it says is honoured; the error of the time before is then over. */
export const subscriptionRule: TypeRule = {
  async prepare({ ctx, actor, projectId, after }) {
    const given = after as unknown as Subscription;
    if (isStandingBy(given)) return after;
    requireSubscription(projectId, after);
    if (asksHidden(actor, given)) throw hidden();
    if (given.channel?.type === 'websocket') await makeRoom(ctx.write, actor, after.id);
    else await requireHook(ctx, actor, after);
    if (given.status !== 'requested') return after;
    const { error: _, ...rest } = given;
    return { ...rest, status: 'active' } as Resource;
  },
  async changed(w, row) {
    await noteListening(w, row);
    // Who only listens is told of nothing before they do (bind-listener.ts).
    if (row.version === 1 && isForSockets(row)) return;
    w.invalidate(subscriptionsTag(row.projectId));
    w.invalidate(listenedTag(row.id));
  },
};

function hidden(): AppError {
  const text = 'Your access policy hides what the criteria ask by: that it fires would tell you';
  return new AppError('forbidden', text, { expression: 'Subscription.criteria' });
}

async function requireHook(ctx: Ctx & { write: Write }, actor: Actor, after: Resource & { id: string }): Promise<void> {
  const given = after as unknown as Subscription;
  requireUnscoped(actor);
  await requireRunnable(ctx, given.channel?.endpoint ?? '');
  if ((await countLive(ctx.write.tx, actor.projectId, after.id)) < MOST_LIVE) return;
  throw new AppError('business-rule', `A project has ${MOST_LIVE} active subscriptions at most`, {
    expression: 'Subscription.status',
  });
}

/** The oldest to which nobody listens any more goes. Throws 422 when all are listened to. */
async function makeRoom(w: Write, { projectId, membershipId }: Actor, id: string): Promise<void> {
  const kept = (await listOfMember(w.tx, projectId, membershipId, MOST_OF_MEMBER)).filter((one) => one.id !== id);
  if (kept.length < MOST_OF_MEMBER) return;
  const [oldest] = kept;
  if (!oldest || oldest.bound) {
    throw new AppError('business-rule', `A member listens to ${MOST_OF_MEMBER} subscriptions by websocket at most`, {
      expression: 'Subscription.channel.type',
    });
  }
  const row = await lockRow(w.tx, projectId, 'Subscription', oldest.id);
  await forgetListening(w.tx, projectId, [oldest.id]);
  if (!row || row.deleted) return;
  await deleteRow(w, row, undefined);
  w.audit(auditEntry('delete', row, row));
  w.invalidate(listenedTag(row.id));
}

/** Throws 422 for an active one that cannot be honoured. */
function requireSubscription(projectId: string, resource: Resource): void {
  const subscription = resource as unknown as Subscription;
  if (isStandingBy(subscription)) return;
  const { end } = readSubscription(projectId, subscription);
  if (end <= Date.now()) throw new AppError('business-rule', 'It has ended', { expression: 'Subscription.end' });
}

/** Throws 422 for a bot that the author cannot run. */
async function requireRunnable(ctx: Ctx, endpoint: string): Promise<void> {
  const named = botOf({ endpoint });
  // Who has an identifier is looked at when it is told.
  if (!named || 'identifier' in named) return;
  try {
    await requireBot(ctx, named.id, 'read');
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
