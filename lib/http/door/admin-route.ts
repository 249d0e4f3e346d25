import { type Ctx, requireProjectAdmin } from '#lib/domain/access/context.ts';
import type { EditOptions } from '#lib/domain/memberships/edit-member.ts';
import { requireProject } from '#lib/domain/projects/require-project.ts';
import { readPreconditions } from '../fhir/preconditions.ts';
import { apiRoute, type RouteHandler, type RouteInput } from './api-route.ts';
import type { BodyReader } from './read-body.ts';
import type { Reply, StreamedReply } from './reply.ts';

export type AdminRoute<B> = {
  /** Default: an administrator of the path's `[projectId]`. The verb asks again; here it is asked before the body is looked at. */
  authorize?: (ctx: Ctx, params: Record<string, string>) => unknown;
  body?: BodyReader<B>;
  run: (ctx: Ctx, input: RouteInput<NoInfer<B>>, projectId: string) => Promise<Reply | StreamedReply>;
};

/** A route under /admin: who may not be here is told so before any fault of the request (contract §2). */
export function adminRoute<B>(route: AdminRoute<B>): RouteHandler {
  const authorize = route.authorize ?? ((ctx, { projectId = '' }) => requireProjectAdmin(ctx, projectId));
  return apiRoute({
    run: async (ctx, input) => {
      authorize(ctx, input.params);
      if (input.params.projectId !== undefined) await requireProject(ctx, input.params.projectId);
      const body = (route.body ? await route.body.read(input.request) : undefined) as B;
      return route.run(ctx, { ...input, body }, input.params.projectId ?? '');
    },
  });
}

/** If-Match, and `?force=true` from whoever takes away its own rights on purpose. */
export function editOptions({ request, url }: RouteInput<unknown>): EditOptions {
  return { ifMatch: readPreconditions(request).ifMatch, force: url.searchParams.get('force') === 'true' };
}
