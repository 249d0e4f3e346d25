import { methods } from '#lib/http/door/api-route.ts';
import { samlAnswer } from '#lib/http/oauth/saml-answer.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: samlAnswer });
