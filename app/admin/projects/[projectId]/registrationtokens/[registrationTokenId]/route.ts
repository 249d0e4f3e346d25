import { revokeRegistrationToken } from '#lib/domain/client-registration/registration-tokens.ts';
import { okReply } from '#lib/http/door/admin-reply.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: adminRoute({
    run: async (ctx, { params }, projectId) => {
      await revokeRegistrationToken(ctx, projectId, params.registrationTokenId!);
      return okReply();
    },
  }),
});
