import { methods } from '#lib/http/door/api-route.ts';
import { postBundle } from '#lib/http/fhir/bundle/post-bundle.ts';

/** Search over all types is not here yet. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: postBundle });
