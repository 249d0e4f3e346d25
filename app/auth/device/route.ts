import { describeDevice } from '#lib/domain/grants/answer-device.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { deviceCodeRequest } from '#lib/protocol/requests/authorization.ts';

// Not by GET: what it asks with is worth guessing, and belongs in no address.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    body: jsonBody(deviceCodeRequest),
    run: async (ctx, { body }) => json(await describeDevice(ctx, body.userCode)),
  }),
});
