import { endCurrentLogin } from '#lib/domain/sessions/revoke-own-login.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { requireOwnPage } from '#lib/http/door/authenticate.ts';
import { fhir } from '#lib/http/door/reply.ts';
import { allOk } from '#lib/protocol/fhir/outcome.ts';

const signOut = apiRoute({
  run: async (ctx, { request }) => {
    requireOwnPage(request);
    await endCurrentLogin(ctx);
    return fhir(allOk());
  },
});

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: signOut, POST: signOut });
