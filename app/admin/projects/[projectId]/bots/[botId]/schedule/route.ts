import { readBotSchedule } from '#lib/domain/bots/read-bot-schedule.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { readQuery } from '#lib/http/door/read-query.ts';
import { json } from '#lib/http/door/reply.ts';
import { scheduleQuery } from '#lib/protocol/bots/times/bot-schedule.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { params, url }, projectId) =>
      json(await readBotSchedule(ctx, projectId, params.botId!, readQuery(url, scheduleQuery))),
  }),
});
