import { endMemberSessions } from '#lib/domain/people/end-member-sessions.ts';
import { listMemberSessions } from '#lib/domain/people/list-member-sessions.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { json } from '#lib/http/door/reply.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { params }, projectId) => json(await listMemberSessions(ctx, projectId, params.membershipId!)),
  }),
  DELETE: adminRoute({
    run: async (ctx, { params }, projectId) => json(await endMemberSessions(ctx, projectId, params.membershipId!)),
  }),
});
