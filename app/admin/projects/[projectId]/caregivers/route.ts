import { changeCaregivers } from '#lib/domain/caregivers/change-caregivers.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { caregiversRequest } from '#lib/protocol/caregivers/requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(caregiversRequest),
    run: async (ctx, { body }, projectId) => json(await changeCaregivers(ctx, projectId, body)),
  }),
});
