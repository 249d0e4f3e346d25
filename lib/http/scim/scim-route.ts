import { AppError } from '#lib/base/errors.ts';
import { type Actor, type Ctx, requireActor, requireProjectAdmin } from '#lib/domain/access/context.ts';
import { actorOfToken } from '#lib/domain/scim/actor-of-token.ts';
import { noteRequest } from '#lib/domain/scim/note-request.ts';
import { isScimToken } from '#lib/domain/scim/scim-token.ts';
import { scimTypeOf } from '#lib/protocol/scim/error.ts';
import { apiRoute, methods, type RouteHandler, type RouteInput } from '../door/api-route.ts';
import { authenticate } from '../door/authenticate.ts';
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
    authenticate: authenticateDirectory,
    answered: noteAnswer,
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

/** A directory by the token of its connection, which is good for nothing else; or a program or person of the project as everywhere. */
async function authenticateDirectory(ctx: Ctx, request: Request): Promise<Actor> {
  const [, token = ''] = /^bearer +(.+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  return isScimToken(token) ? actorOfToken(ctx, token.trim()) : authenticate(ctx, request);
}

/** For the log of the connection: no query, which says who was looked for. */
function noteAnswer({ actor }: Ctx, request: Request, { status, error }: { status: number; error?: unknown }): void {
  if (!actor?.scim) return;
  const known = error instanceof AppError ? (scimTypeOf(error) ?? error.code) : 'exception';
  const { pathname } = new URL(request.url);
  const entry = {
    at: new Date(),
    method: request.method,
    path: pathname,
    status,
    error: error === undefined ? null : known,
  };
  noteRequest(actor.projectId, actor.scim, entry);
}
