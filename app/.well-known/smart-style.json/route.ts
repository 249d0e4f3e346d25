import { methods } from '#lib/http/door/api-route.ts';
import { smartStyle } from '#lib/http/fhir/smart-style.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: smartStyle });
