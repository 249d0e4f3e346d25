import { resumeLogin } from '#lib/domain/sign-in/resume-login.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { json } from '#lib/http/door/reply.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: apiRoute({
    auth: 'none',
    run: async (ctx, { params }) => json(await resumeLogin(ctx, params.loginId!)),
  }),
});
