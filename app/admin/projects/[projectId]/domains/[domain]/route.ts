import { changeDomain, dropDomain } from '#lib/domain/mail-domains/change-domain.ts';
import { readDomain } from '#lib/domain/mail-domains/list-domains.ts';
import { okReply } from '#lib/http/door/admin-reply.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { mailDomainEdit } from '#lib/protocol/mail-domains/requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { params }, projectId) => json(await readDomain(ctx, projectId, params.domain!)),
  }),
  PATCH: adminRoute({
    body: jsonBody(mailDomainEdit),
    run: async (ctx, { params, body }, projectId) => json(await changeDomain(ctx, projectId, params.domain!, body)),
  }),
  DELETE: adminRoute({
    run: async (ctx, { params }, projectId) => {
      await dropDomain(ctx, projectId, params.domain!);
      return okReply();
    },
  }),
});
