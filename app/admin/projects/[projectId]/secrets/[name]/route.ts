import { deleteSecret } from '#lib/domain/projects/delete-secret.ts';
import { putSecret } from '#lib/domain/projects/put-secret.ts';
import { okReply } from '#lib/http/door/admin-reply.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { secretValueRequest } from '#lib/protocol/requests/project-settings.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PUT: adminRoute({
    body: jsonBody(secretValueRequest),
    run: async (ctx, { params, body }, projectId) => {
      await putSecret(ctx, projectId, { name: params.name!, ...body });
      return okReply();
    },
  }),
  DELETE: adminRoute({
    run: async (ctx, { params }, projectId) => {
      await deleteSecret(ctx, projectId, params.name!);
      return okReply();
    },
  }),
});
