import { webhookRoute } from '#lib/http/bots/webhook-route.ts';
import { methods } from '#lib/http/door/api-route.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: webhookRoute, POST: webhookRoute });
