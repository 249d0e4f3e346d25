import { mapGroup } from '#lib/domain/groups/map-group.ts';
import { okReply } from '#lib/http/door/admin-reply.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { groupMapping } from '#lib/protocol/scim/group-mapping.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PUT: adminRoute({
    body: jsonBody(groupMapping),
    run: async (ctx, { params, body }, projectId) => {
      await mapGroup(ctx, projectId, params.connectionId!, params.groupId!, body);
      return okReply();
    },
  }),
});
