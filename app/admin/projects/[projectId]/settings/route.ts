import { replaceSettings } from '#lib/domain/projects/replace-settings.ts';
import { rowReply } from '#lib/http/door/admin-reply.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { settingsRequest } from '#lib/protocol/requests/project-settings.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(settingsRequest),
    run: async (ctx, { body, extended }, projectId) =>
      rowReply(await replaceSettings(ctx, projectId, 'setting', body), extended),
  }),
});
