import { removePasskey } from '#lib/domain/passkeys/remove-passkey.ts';
import { renamePasskey } from '#lib/domain/passkeys/rename-passkey.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { fhir, json } from '#lib/http/door/reply.ts';
import { allOk } from '#lib/protocol/fhir/outcome.ts';
import { renamePasskeyRequest } from '#lib/protocol/passkeys/requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PUT: apiRoute({
    body: jsonBody(renamePasskeyRequest),
    run: async (ctx, { params, body }) => json(await renamePasskey(ctx, params.passkeyId!, body)),
  }),
  DELETE: apiRoute({
    run: async (ctx, { params }) => {
      await removePasskey(ctx, params.passkeyId!);
      return fhir(allOk());
    },
  }),
});
