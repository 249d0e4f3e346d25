import { env } from '#lib/base/env.ts';
import { notFound } from '#lib/base/errors.ts';
import { type Shown, shownQuery } from '#lib/protocol/scim/list-query.ts';
import { selectAttributes } from '#lib/protocol/scim/select-attributes.ts';
import { LIST_RESPONSE } from '#lib/protocol/scim/urns.ts';
import type { ScimUser } from '#lib/protocol/scim/user.ts';
import type { RouteInput } from '../door/api-route.ts';
import { readQuery } from '../door/read-query.ts';
import { type Reply, SCIM_TYPE } from '../door/reply.ts';
import { readPreconditions } from '../fhir/preconditions.ts';

export function scimBase(): string {
  return `${env().BASE_URL}/scim/v2`;
}

function scim(value: unknown, status = 200, headers?: Record<string, string>): Reply {
  return { status, body: JSON.stringify(value), contentType: SCIM_TYPE, headers };
}

/** A User with its ETag, or 304 for who has this version already (RFC 7644 §3.14). */
export function userReply(user: ScimUser, { request, url }: RouteInput<unknown>, status: 200 | 201 = 200): Reply {
  const headers: Record<string, string> = { etag: user.meta.version };
  if (status === 201) headers.location = user.meta.location;
  const { ifNoneMatch } = readPreconditions(request);
  const version = user.meta.version.slice(3, -1);
  if (request.method === 'GET' && (ifNoneMatch === '*' || ifNoneMatch?.includes(version))) {
    return { status: 304, headers };
  }
  return scim(selectAttributes(user, readQuery(url, shownQuery)), status, headers);
}

/** RFC 7644 §3.4.2. */
export function listReply(resources: readonly object[], total: number, startIndex: number, shown: Shown = {}): Reply {
  return scim({
    schemas: [LIST_RESPONSE],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources.map((resource) => selectAttributes(resource, shown)),
  });
}

/** What is told of the service itself (RFC 7644 §4). */
export function discoveryReply(resource: unknown): Reply {
  if (resource === undefined) throw notFound();
  return scim(resource);
}
