import { methods } from '#lib/http/door/api-route.ts';
import { readRefusalsRoute } from '#lib/http/fhir/bulk/import-routes.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: readRefusalsRoute });
