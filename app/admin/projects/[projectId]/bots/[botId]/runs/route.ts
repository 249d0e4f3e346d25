import { listRuns } from '#lib/domain/runs/list-runs.ts';
import { adminRoute } from '#lib/http/admin-route.ts';
import { methods } from '#lib/http/api-route.ts';
import { readQuery } from '#lib/http/read-query.ts';
import { json } from '#lib/http/reply.ts';
import { runsQuery } from '#lib/protocol/requests/bot-console.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { params, url }, projectId) =>
      json(await listRuns(ctx, projectId, params.botId!, readQuery(url, runsQuery))),
  }),
});
