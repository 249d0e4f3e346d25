import type { AnswerCall } from '#lib/infra/sandbox/host/run-job.ts';
import type { Actor, Ctx } from '../access/context.ts';
import { followRights } from '../sessions/author-of.ts';
import type { BotRequest } from './bot-request.ts';
import { withoutAdministration } from './without-administration.ts';

/** Each call with the rights of its moment, while the bot is on (`own`): a run may last a quarter of an hour. */
export function asOfNow(
  bridge: (ctx: Ctx) => AnswerCall,
  own: Actor | undefined,
  trigger: BotRequest['trigger'],
): (ctx: Ctx) => AnswerCall {
  return (ctx) => {
    const rights = followRights(ctx, own);
    let known = { ctx, call: bridge(ctx) };
    return async (...asked) => {
      const now = await rights();
      if (now !== known.ctx) known = { ctx: now, call: bridge(narrowed(now, own, trigger)) };
      return known.call(...asked);
    };
  };
}

/** Who became an administrator while an event of theirs is run is none in it. */
function narrowed(now: Ctx, own: Actor | undefined, trigger: BotRequest['trigger']): Ctx {
  return now.actor ? { ...now, actor: withoutAdministration(now.actor, own, trigger) } : now;
}
