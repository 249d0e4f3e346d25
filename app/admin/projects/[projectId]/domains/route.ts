import { claimDomain } from '#lib/domain/mail-domains/claim-domain.ts';
import { listDomains } from '#lib/domain/mail-domains/list-domains.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { newMailDomain } from '#lib/protocol/mail-domains/requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, _, projectId) => json(await listDomains(ctx, projectId)),
  }),
  POST: adminRoute({
    body: jsonBody(newMailDomain),
    run: async (ctx, { body }, projectId) => json(await claimDomain(ctx, projectId, body.domain), 201),
  }),
});
