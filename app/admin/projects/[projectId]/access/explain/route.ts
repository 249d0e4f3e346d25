import { explain } from '#lib/domain/explain/explain.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { type ExplainRequest, explainRequest } from '#lib/protocol/explain/explain-request.ts';

/** What a member may do, or would with a draft, and by which rule. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(explainRequest),
    run: async (ctx, { body }, projectId) => json(await explain(ctx, projectId, body as ExplainRequest)),
  }),
});
