import { methods } from '#lib/http/door/api-route.ts';
import { getBelowInstance, postBelowInstance } from '#lib/http/fhir/instance.ts';
import { allowBelowInstance } from '#lib/http/fhir/operations/mounted.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  { GET: getBelowInstance, POST: postBelowInstance },
  undefined,
  allowBelowInstance,
);
