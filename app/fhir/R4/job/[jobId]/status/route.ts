import { methods } from '#lib/http/api-route.ts';
import { cancelJobRoute, readJobRoute } from '#lib/http/async-job.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: readJobRoute, DELETE: cancelJobRoute });
