import { readUserInfo } from '#lib/domain/authorize/read-user-info.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { json } from '#lib/http/door/reply.ts';

const userInfo = apiRoute({ run: async (ctx) => json(await readUserInfo(ctx)) });

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: userInfo, POST: userInfo });
