import { env } from '#lib/base/env.ts';
import { notFound } from '#lib/base/errors.ts';
import { type Shown, shownQuery } from '#lib/protocol/scim/list-query.ts';
import { selectAttributes } from '#lib/protocol/scim/select-attributes.ts';
import { LIST_RESPONSE } from '#lib/protocol/scim/urns.ts';
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

/** What is told of a resource of a directory: a User, or a Group. */
type Told = { meta: { version: string; location: string } };

/** A resource with its ETag, or 304 for who has this version already (RFC 7644 §3.14). */
export function resourceReply(resource: Told, { request, url }: RouteInput<unknown>, status: 200 | 201 = 200): Reply {
  const headers: Record<string, string> = { etag: resource.meta.version };
  if (status === 201) headers.location = resource.meta.location;
  const { ifNoneMatch } = readPreconditions(request);
  const version = resource.meta.version.slice(3, -1);
  if (request.method === 'GET' && (ifNoneMatch === '*' || ifNoneMatch?.includes(version))) {
    return { status: 304, headers };
  }
  return scim(selectAttributes(resource, readQuery(url, shownQuery)), status, headers);
}

/** After a change that its caller knows: without the resource, unless they ask for some of it (RFC 7644 §3.5.2). */
export function changedReply(resource: Told, input: RouteInput<unknown>): Reply {
  const isAsked = input.url.searchParams.has('attributes');
  return isAsked ? resourceReply(resource, input) : { status: 204, headers: { etag: resource.meta.version } };
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
