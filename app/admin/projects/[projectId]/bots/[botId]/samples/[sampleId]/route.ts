import { deleteSample } from '#lib/domain/bot-samples/delete-sample.ts';
import { saveSample } from '#lib/domain/bot-samples/save-sample.ts';
import { okReply } from '#lib/http/door/admin-reply.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { SAMPLE_BODY_LIMIT, sampleChange } from '#lib/protocol/bots/samples.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PUT: adminRoute({
    body: jsonBody(sampleChange, undefined, SAMPLE_BODY_LIMIT),
    run: async (ctx, { params, body }, projectId) =>
      json(await saveSample(ctx, projectId, params.botId!, params.sampleId!, body)),
  }),
  DELETE: adminRoute({
    run: async (ctx, { params }, projectId) => {
      await deleteSample(ctx, projectId, params.botId!, params.sampleId!);
      return okReply();
    },
  }),
});
