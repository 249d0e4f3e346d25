import { methods } from '#lib/http/door/api-route.ts';
import { capabilities } from '#lib/http/fhir/metadata.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: capabilities });
