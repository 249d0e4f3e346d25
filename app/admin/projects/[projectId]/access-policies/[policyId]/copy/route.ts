import { copyPolicy } from '#lib/domain/policies/copy-policy.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { copyPolicyRequest } from '#lib/protocol/access-policies/requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(copyPolicyRequest),
    run: async (ctx, { params, body }, projectId) =>
      json(await copyPolicy(ctx, projectId, params.policyId!, body), 201),
  }),
});
