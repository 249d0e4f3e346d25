import { methods } from '#lib/http/door/api-route.ts';
import { searchSystem } from '#lib/http/fhir/system.ts';

/** Batch and transaction are not here yet: 405 for a POST. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: searchSystem });
