import { type Ctx, requireActor } from '#lib/domain/access/context.ts';
import type { BotApiReply, BotApiRequest } from '#lib/domain/runs/bot-api.ts';
import type { CallFacts } from '#lib/infra/sandbox/host/run-job.ts';
import { runWithin, toParams, unknownPath } from '../../door/api-route.ts';
import { toErrorReply } from '../../door/error-reply.ts';
import { leavePlaces, ownedBy } from '../../door/large-bodies.ts';
import type { FindRoute } from './find-route.ts';
import { requireOpenPath, targetOf } from './open-paths.ts';
import { toBotApiReply } from './to-bot-api-reply.ts';
import { toOwnRequest } from './to-own-request.ts';

/**
 * What the route answers anybody who asks with these rights: only that it is the bot is known beforehand. Errors of the route are answers,
 * too; throws 400 for what is no request to us.
 */
export async function answerBot(
  find: FindRoute,
  ctx: Ctx,
  asked: BotApiRequest,
  note: (facts: CallFacts) => void,
): Promise<BotApiReply> {
  const request = toOwnRequest(asked);
  const { pathname } = new URL(request.url);
  const reply = await answer(find, ctx, request, pathname);
  note({ target: targetOf(request.method, pathname), status: reply.status, bytes: reply.body.length });
  return reply;
}

async function answer(find: FindRoute, ctx: Ctx, request: Request, path: string): Promise<BotApiReply> {
  try {
    const actor = requireActor(ctx);
    requireOpenPath(actor, path);
    ownedBy(request, actor.projectId);
    const found = find(path);
    const handler = found?.handlers[request.method] ?? unknownPath;
    return await toBotApiReply(request, await runWithin(handler, ctx, request, toParams(found?.params)));
  } catch (error) {
    return toBotApiReply(request, toErrorReply(error, ctx, request, 'outcome'));
  } finally {
    leavePlaces(request);
  }
}
