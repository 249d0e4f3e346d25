import { groupDeadLetters } from '#lib/domain/bot-events/group-dead-letters.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { readQuery } from '#lib/http/door/read-query.ts';
import { json } from '#lib/http/door/reply.ts';
import { deadLetterGroupsQuery } from '#lib/protocol/bots/dead-letters.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { url }, projectId) =>
      json(await groupDeadLetters(ctx, projectId, readQuery(url, deadLetterGroupsQuery))),
  }),
});
