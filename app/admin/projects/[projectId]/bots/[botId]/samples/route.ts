import { listSamples } from '#lib/domain/bot-samples/list-samples.ts';
import { saveSample } from '#lib/domain/bot-samples/save-sample.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { SAMPLE_BODY_LIMIT, sampleRequest } from '#lib/protocol/bots/samples.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { params }, projectId) => json(await listSamples(ctx, projectId, params.botId!)),
  }),
  POST: adminRoute({
    body: jsonBody(sampleRequest, undefined, SAMPLE_BODY_LIMIT),
    run: async (ctx, { params, body }, projectId) =>
      json(await saveSample(ctx, projectId, params.botId!, undefined, body), 201),
  }),
});
