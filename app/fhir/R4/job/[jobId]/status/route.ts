import { cancelJobRoute, readJobRoute } from '#lib/http/bots/async-job.ts';
import { methods } from '#lib/http/door/api-route.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: readJobRoute, DELETE: cancelJobRoute });
