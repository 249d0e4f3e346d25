import { policyVocabulary } from '#lib/domain/policies/policy-vocabulary.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { readQuery } from '#lib/http/door/read-query.ts';
import { json } from '#lib/http/door/reply.ts';
import { vocabularyQuery } from '#lib/protocol/access-policies/requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { url }, projectId) =>
      json(await policyVocabulary(ctx, projectId, readQuery(url, vocabularyQuery).type)),
  }),
});
