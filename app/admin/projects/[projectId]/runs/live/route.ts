import { liveRuns } from '#lib/http/bots/live-runs.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({ run: async (ctx, { request, url }, projectId) => liveRuns(ctx, request, url, projectId) }),
});
