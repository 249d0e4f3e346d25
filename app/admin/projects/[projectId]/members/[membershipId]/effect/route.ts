import { memberEffect } from '#lib/domain/sight/effect/member-effect.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { memberDraft } from '#lib/protocol/policies/requests.ts';

/** What another access would do to a member. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(memberDraft),
    run: async (ctx, { params, body }, projectId) =>
      json(await memberEffect(ctx, projectId, params.membershipId!, body)),
  }),
});
