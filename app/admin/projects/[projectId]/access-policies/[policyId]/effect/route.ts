import { policyEffect } from '#lib/domain/sight/effect/policy-effect.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { anyJson } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';

/** What saving a draft of a policy would do. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: anyJson,
    run: async (ctx, { params, body }, projectId) => json(await policyEffect(ctx, projectId, params.policyId!, body)),
  }),
});
