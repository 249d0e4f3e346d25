import { methods } from '#lib/http/door/api-route.ts';
import { readInstanceVersion, searchBelowInstance } from '#lib/http/fhir/instance.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: readInstanceVersion,
  POST: searchBelowInstance,
});
