import { countRuns } from '#lib/domain/run-log/count-runs.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { readQuery } from '#lib/http/door/read-query.ts';
import { json } from '#lib/http/door/reply.ts';
import { runFiguresQuery } from '#lib/protocol/bots/runs/run-sight.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { url }, projectId) => json(await countRuns(ctx, projectId, readQuery(url, runFiguresQuery))),
  }),
});
