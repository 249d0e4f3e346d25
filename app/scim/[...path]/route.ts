import { notFound } from '#lib/base/errors.ts';
import { apiRoute } from '#lib/http/door/api-route.ts';
import { scimMethods } from '#lib/http/scim/scim-route.ts';

const unknown = apiRoute({ auth: 'none', errors: 'scim', run: () => Promise.reject(notFound()) });

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = scimMethods({
  GET: unknown,
  POST: unknown,
  PUT: unknown,
  PATCH: unknown,
  DELETE: unknown,
});
