import { methods } from '#lib/http/api-route.ts';
import { webhookRoute } from '#lib/http/webhook-route.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: webhookRoute, POST: webhookRoute });
