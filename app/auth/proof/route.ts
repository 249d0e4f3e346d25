import { proveAgain, readProof } from '#lib/domain/safety/prove-again.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { proofRequest } from '#lib/protocol/proof/requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: apiRoute({ run: async (ctx) => json(await readProof(ctx)) }),
  POST: apiRoute({ body: jsonBody(proofRequest), run: async (ctx, { body }) => json(await proveAgain(ctx, body)) }),
});
