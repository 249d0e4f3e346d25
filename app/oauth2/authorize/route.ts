import { authorize } from '#lib/domain/authorize/authorize.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { authenticateBrowser } from '#lib/http/door/authenticate.ts';
import { redirect } from '#lib/http/door/reply.ts';
import { browserForm } from '#lib/http/oauth/browser-form.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: apiRoute({
    auth: 'none',
    errors: 'text',
    run: async (ctx, { request, url }) => {
      ctx.actor = await authenticateBrowser(request);
      return redirect(await authorize(ctx, url.searchParams));
    },
  }),
  // A browser sends no session along with another site's form: it comes back by GET, and with it.
  POST: apiRoute({
    auth: 'none',
    errors: 'text',
    body: browserForm,
    run: async (_, { body }) => redirect(`/oauth2/authorize?${body}`),
  }),
});
