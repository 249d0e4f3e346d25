import { readAlert } from '#lib/domain/run-log/alerts/read-alert.ts';
import { setAlert } from '#lib/domain/run-log/alerts/set-alert.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { botAlertRequest } from '#lib/protocol/bots/alert.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({ run: async (ctx, { params }, projectId) => json(await readAlert(ctx, projectId, params.botId!)) }),
  PUT: adminRoute({
    body: jsonBody(botAlertRequest),
    run: async (ctx, { params, body }, projectId) => json(await setAlert(ctx, projectId, params.botId!, body)),
  }),
});
