import { forgetDevice, nameDevice } from '#lib/domain/safety/own-devices.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { nameDeviceRequest } from '#lib/protocol/devices/requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PUT: apiRoute({
    body: jsonBody(nameDeviceRequest),
    run: async (ctx, { params, body }) => json(await nameDevice(ctx, params.deviceId!, body)),
  }),
  DELETE: apiRoute({ run: async (ctx, { params }) => json(await forgetDevice(ctx, params.deviceId!)) }),
});
