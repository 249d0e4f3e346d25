import { reopenProject } from '#lib/domain/projects/reopen-project.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { fhir } from '#lib/http/door/reply.ts';
import { allOk } from '#lib/protocol/fhir/outcome.ts';
import { linkRequest } from '#lib/protocol/requests/auth.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    auth: 'none',
    body: jsonBody(linkRequest),
    run: async (ctx, { body }) => {
      await reopenProject(ctx, body);
      return fhir(allOk());
    },
  }),
});
