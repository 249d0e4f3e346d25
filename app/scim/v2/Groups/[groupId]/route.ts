import { changeGroup, removeGroup } from '#lib/domain/groups/change-group.ts';
import { readGroup } from '#lib/domain/groups/list-groups.ts';
import { anyJson } from '#lib/http/door/read-body.ts';
import { readQuery } from '#lib/http/door/read-query.ts';
import { readPreconditions } from '#lib/http/fhir/preconditions.ts';
import { groupBody } from '#lib/http/scim/scim-body.ts';
import { changedReply, resourceReply } from '#lib/http/scim/scim-reply.ts';
import { scimMethods, scimRoute } from '#lib/http/scim/scim-route.ts';
import { shownQuery } from '#lib/protocol/scim/list-query.ts';
import { applyGroupPatch } from '#lib/protocol/scim/patch-group.ts';
import { isShown } from '#lib/protocol/scim/select-attributes.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = scimMethods({
  GET: scimRoute({
    run: async (ctx, input) => {
      const withMembers = isShown(readQuery(input.url, shownQuery), 'members');
      return resourceReply(await readGroup(ctx, input.params.groupId!, withMembers), input);
    },
  }),
  PUT: scimRoute({
    body: groupBody,
    run: async (ctx, input) => {
      const { ifMatch } = readPreconditions(input.request);
      return resourceReply(await changeGroup(ctx, input.params.groupId!, ifMatch, () => input.body), input);
    },
  }),
  PATCH: scimRoute({
    body: anyJson,
    run: async (ctx, input) => {
      const { ifMatch } = readPreconditions(input.request);
      const group = await changeGroup(ctx, input.params.groupId!, ifMatch, (was) => applyGroupPatch(was, input.body));
      return changedReply(group, input);
    },
  }),
  DELETE: scimRoute({
    run: async (ctx, { request, params }) => {
      await removeGroup(ctx, params.groupId!, readPreconditions(request).ifMatch);
      return { status: 204 };
    },
  }),
});
