import { methods } from '#lib/http/door/api-route.ts';
import { externalSignIn } from '#lib/http/oauth/external-sign-in.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: externalSignIn });
