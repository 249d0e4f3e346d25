import { showSecondStep } from '#lib/domain/account-merge/show-second-step.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { mergeCodeRequest } from '#lib/protocol/account-merge/requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    body: jsonBody(mergeCodeRequest),
    run: async (ctx, { body }) => json(await showSecondStep(ctx, body)),
  }),
});
