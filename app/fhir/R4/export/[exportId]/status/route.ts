import { methods } from '#lib/http/door/api-route.ts';
import { cancelExportRoute, readExportRoute } from '#lib/http/fhir/bulk/export-routes.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: readExportRoute,
  DELETE: cancelExportRoute,
});
