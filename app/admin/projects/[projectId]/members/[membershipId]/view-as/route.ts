import { endView } from '#lib/domain/view-as/end-view.ts';
import { startView } from '#lib/domain/view-as/start-view.ts';
import { okReply } from '#lib/http/door/admin-reply.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { viewAsRequest } from '#lib/protocol/view-as/view-as.ts';

/** An administrator looks with a member’s eyes for ten minutes, read only. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(viewAsRequest),
    run: async (ctx, { params, body }, projectId) =>
      json(await startView(ctx, projectId, params.membershipId!, body), 201),
  }),
  DELETE: adminRoute({
    run: async (ctx, { params }, projectId) => {
      await endView(ctx, projectId, params.membershipId!);
      return okReply();
    },
  }),
});
