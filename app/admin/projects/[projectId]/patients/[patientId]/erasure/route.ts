import { askErasure } from '#lib/domain/record-erasure/ask-erasure.ts';
import { previewErasure } from '#lib/domain/record-erasure/preview-erasure.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { recordErasureRequest } from '#lib/protocol/record-erasure/requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { params }, projectId) => json(await previewErasure(ctx, projectId, params.patientId!)),
  }),
  POST: adminRoute({
    body: jsonBody(recordErasureRequest),
    run: async (ctx, { params, body }, projectId) => {
      const erasure = await askErasure(ctx, projectId, params.patientId!, body);
      return json(erasure, 202, { location: `/admin/projects/${projectId}/erasures/${erasure.id}` });
    },
  }),
});
