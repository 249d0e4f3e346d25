import { methods } from '#lib/http/door/api-route.ts';
import { deleteInstance, patchInstance, readInstance, updateInstance } from '#lib/http/fhir/instance.ts';
import { postToType } from '#lib/http/fhir/type.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: readInstance,
  POST: postToType,
  PUT: updateInstance,
  PATCH: patchInstance,
  DELETE: deleteInstance,
});
