import { previewMerge } from '#lib/domain/account-merge/merge-accounts.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { mergeHandleRequest } from '#lib/protocol/account-merge/requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    body: jsonBody(mergeHandleRequest),
    run: async (ctx, { body }) => json(await previewMerge(ctx, body)),
  }),
});
