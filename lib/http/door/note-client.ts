import { isUuid } from '#lib/base/ids.ts';
import { type Ctx, callerOf } from '#lib/domain/access/context.ts';
import { type Asked, noteClientRequest } from '#lib/domain/client-requests/note-client-request.ts';
import { isResourceType } from '#lib/protocol/fhir/type-ids.ts';

/** For the log of the client that asked, if it was one: by which route, never with which ids. Next's own mount does not tell the route. */
export function noteClient(ctx: Ctx, { method, url }: Request, route: string | undefined, status: number): void {
  const of = route === undefined ? undefined : clientOf(ctx);
  if (!of || route === undefined) return;
  noteClientRequest(of, { method, route: toPattern(route, url), status, remote_address: ctx.remoteAddress });
}

/** By whose token it came, or which one it has tried to be. A directory has a log of its own. */
function clientOf({ actor, client }: Ctx): Asked | undefined {
  if (!actor) return client;
  const { projectId, clientId, scim } = callerOf(actor);
  return !scim && isUuid(clientId) ? { projectId, clientId } : client;
}

const OF_TYPE = '[type]';

function toPattern(route: string, url: string): string {
  if (!route.includes(OF_TYPE)) return route;
  const [, type = ''] = /\/fhir\/R4\/([A-Za-z]+)/.exec(url) ?? [];
  return isResourceType(type) ? route.replace(OF_TYPE, type) : route;
}
