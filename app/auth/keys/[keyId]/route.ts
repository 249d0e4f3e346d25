import { endOwnKey } from '#lib/domain/own-keys/own-keys.ts';
import { okReply } from '#lib/http/door/admin-reply.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: apiRoute({
    run: async (ctx, { params }) => {
      await endOwnKey(ctx, params.keyId!);
      return okReply();
    },
  }),
});
