import { methods } from '#lib/http/door/api-route.ts';
import { postedUserInfo, userInfo } from '#lib/http/oauth/user-info.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: userInfo, POST: postedUserInfo });
