import { changeUser, removeUser } from '#lib/domain/scim/change-user.ts';
import { readUser } from '#lib/domain/scim/read-user.ts';
import { anyJson } from '#lib/http/door/read-body.ts';
import { readPreconditions } from '#lib/http/fhir/preconditions.ts';
import { userBody } from '#lib/http/scim/scim-body.ts';
import { resourceReply } from '#lib/http/scim/scim-reply.ts';
import { scimMethods, scimRoute } from '#lib/http/scim/scim-route.ts';
import { applyPatch } from '#lib/protocol/scim/patch.ts';
import { parseUser } from '#lib/protocol/scim/user.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = scimMethods({
  GET: scimRoute({
    run: async (ctx, input) => resourceReply(await readUser(ctx, input.params.membershipId!), input),
  }),
  PUT: scimRoute({
    body: userBody,
    run: async (ctx, input) => {
      const { ifMatch } = readPreconditions(input.request);
      return resourceReply(await changeUser(ctx, input.params.membershipId!, ifMatch, () => input.body), input);
    },
  }),
  PATCH: scimRoute({
    body: anyJson,
    run: async (ctx, input) => {
      const { ifMatch } = readPreconditions(input.request);
      const edit = (user: object) => parseUser(applyPatch({ ...user }, input.body));
      return resourceReply(await changeUser(ctx, input.params.membershipId!, ifMatch, edit), input);
    },
  }),
  DELETE: scimRoute({
    run: async (ctx, { request, params }) => {
      await removeUser(ctx, params.membershipId!, readPreconditions(request).ifMatch);
      return { status: 204 };
    },
  }),
});
