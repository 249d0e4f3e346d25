import { methods } from '#lib/http/door/api-route.ts';
import { cancelImportRoute, readImportRoute } from '#lib/http/fhir/bulk/import-routes.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: readImportRoute,
  DELETE: cancelImportRoute,
});
