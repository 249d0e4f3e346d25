import { methods } from '#lib/http/door/api-route.ts';
import { createInType, deleteInType, patchInType, searchType, updateInType } from '#lib/http/fhir/type.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: searchType,
  POST: createInType,
  PUT: updateInType,
  PATCH: patchInType,
  DELETE: deleteInType,
});
