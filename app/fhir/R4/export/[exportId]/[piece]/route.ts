import { methods } from '#lib/http/door/api-route.ts';
import { fetchPieceRoute } from '#lib/http/fhir/bulk/export-routes.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: fetchPieceRoute });
