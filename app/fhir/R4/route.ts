import { methods } from '#lib/http/door/api-route.ts';
import { postBundle } from '#lib/http/fhir/bundle/post-bundle.ts';
import { searchSystem } from '#lib/http/fhir/system.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: searchSystem, POST: postBundle });
