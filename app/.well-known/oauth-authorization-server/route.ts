import { methods } from '#lib/http/door/api-route.ts';
import { discovery } from '#lib/http/oauth/openid-configuration.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: discovery });
