import { AppError } from '#lib/base/errors.ts';
import { listenedTag, subscriptionsTag } from '../access/cache-tags.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { bindListening, MOST_FEEDS } from '../store/feeds/listening.ts';
import { type Binding, readBindingToken } from './binding-token.ts';
import { findListener, type Listener } from './find-listener.ts';

/**
 * From here on each change that its Subscription waits for is told to every process, and every process knows it. Throws 401 for a token that is
 * good no longer, 422 where too many different things are listened to.
 */
export async function bindListener(
  ctx: Ctx,
  socketId: string,
  token: string,
): Promise<{ binding: Binding; listener: Listener }> {
  const binding = await readBindingToken(token);
  const listener = await findListener(binding, { remoteAddress: ctx.remoteAddress, origin: ctx.origin });
  if (!listener) throw ended();
  const { projectId } = binding.login;
  const { subscriptionId: id } = binding;
  await write(
    { ...ctx, actor: listener.actor },
    async (w) => {
      w.unchanged();
      const bound = await bindListening(w.tx, { projectId, id, holder: socketId });
      if (!bound) throw ended();
      if (bound.isNew && bound.feeds >= MOST_FEEDS) {
        const text = `A project listens to ${MOST_FEEDS} different criteria by websocket at most`;
        throw new AppError('business-rule', text, { expression: 'Subscription.criteria' });
      }
      if (bound.isNew) w.invalidate(subscriptionsTag(projectId));
      w.invalidate(listenedTag(id));
    },
    { notes: true },
  );
  return { binding, listener };
}

function ended(): AppError {
  return new AppError('unauthorized', 'The token, what it was given by, or the Subscription has ended');
}
