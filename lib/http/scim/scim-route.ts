import { type Ctx, requireActor, requireProjectAdmin } from '#lib/domain/access/context.ts';
import { apiRoute, methods, type RouteHandler, type RouteInput } from '../door/api-route.ts';
import type { BodyReader } from '../door/read-body.ts';
import type { Reply } from '../door/reply.ts';

type ScimRoute<B> = {
  body?: BodyReader<B>;
  run: (ctx: Ctx, input: RouteInput<NoInfer<B>>) => Promise<Reply> | Reply;
};

/** A route of SCIM (RFC 7644): for administrators of the caller's own project, who is asked before the body is looked at. Errors are §3.12's. */
export function scimRoute<B>(route: ScimRoute<B>): RouteHandler {
  return apiRoute({
    errors: 'scim',
    run: async (ctx, input) => {
      requireProjectAdmin(ctx, requireActor(ctx).projectId);
      const body = (route.body ? await route.body.read(input.request) : undefined) as B;
      return route.run(ctx, { ...input, body });
    },
  });
}

/** As `methods`, with errors as SCIM has them. */
export function scimMethods(given: Parameters<typeof methods>[0]): ReturnType<typeof methods> {
  return methods(given, 'scim');
}
