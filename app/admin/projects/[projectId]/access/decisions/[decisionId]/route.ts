import { readDecision } from '#lib/domain/explain/read-decision.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { json } from '#lib/http/door/reply.ts';

/** What a policy refused in the last seven days, by the id that the refusal had. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { params }, projectId) => json(await readDecision(ctx, projectId, params.decisionId!)),
  }),
});
