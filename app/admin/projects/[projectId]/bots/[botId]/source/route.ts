import { readSource } from '#lib/domain/bots/read-source.ts';
import { saveSource } from '#lib/domain/bots/save-source.ts';
import { etag } from '#lib/domain/store/row.ts';
import { adminRoute, editOptions } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { SOURCE_BODY_LIMIT, saveSourceRequest } from '#lib/protocol/requests/bot-console.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { params }, projectId) => {
      const { row, source } = await readSource(ctx, projectId, params.botId!);
      return json(source, 200, { etag: etag(row) });
    },
  }),
  PUT: adminRoute({
    body: jsonBody(saveSourceRequest, undefined, SOURCE_BODY_LIMIT),
    run: async (ctx, input, projectId) => {
      const { params, body } = input;
      const row = await saveSource(ctx, projectId, params.botId!, body, editOptions(input).ifMatch);
      return json({ version: row.version }, 200, { etag: etag(row) });
    },
  }),
});
