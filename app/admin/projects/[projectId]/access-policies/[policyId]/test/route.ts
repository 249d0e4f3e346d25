import { testPolicy } from '#lib/domain/explain/tests/test-policy.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { anyJson } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';

/** Runs the tests of a policy, as it is stored or as a draft would be. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: anyJson,
    run: async (ctx, { params, body }, projectId) => json(await testPolicy(ctx, projectId, params.policyId!, body)),
  }),
});
