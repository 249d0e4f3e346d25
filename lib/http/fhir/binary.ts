import { AppError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/domain/access/context.ts';
import { createBinary } from '#lib/domain/rest/binary/create-binary.ts';
import { readBinary } from '#lib/domain/rest/binary/read-binary.ts';
import { createResource } from '#lib/domain/rest/create-resource.ts';
import { etag, toWire } from '#lib/domain/store/row.ts';
import { parseJson } from '#lib/protocol/json/json.ts';
import { refuseManyValues } from '#lib/protocol/json/refuse-many-values.ts';
import type { RouteInput } from '../door/api-route.ts';
import { readBytes } from '../door/read-body.ts';
import { fhir, type Reply } from '../door/reply.ts';
import { readByteRange } from './byte-range.ts';
import { asksForFhir } from './negotiation.ts';
import { isUnmodified } from './preconditions.ts';
import { writtenReply } from './reply.ts';

/** 20 MiB. */
const BINARY_LIMIT = 20 * 1024 * 1024;
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+(?:\s*;\s*[\w.-]+=(?:[\w.+-]+|"[^"\\]*"))*$/;

/**
 * POST Binary: raw bytes of any type, or a Binary resource as FHIR JSON. Other FHIR JSON is a file like any other. `_filename` is
 * taken and not kept: the Attachment that points here has the title.
 */
export async function postBinary(ctx: Ctx, { request, extended }: RouteInput<unknown>): Promise<Reply> {
  const contentType = request.headers.get('content-type')?.trim() ?? '';
  if (!MEDIA_TYPE.test(contentType)) throw new AppError('invalid', 'Content-Type must say what the bytes are');
  const bytes = await readBytes(request, BINARY_LIMIT);
  const resource = /^application\/fhir\+json\b/i.test(contentType) ? asBinary(bytes) : undefined;
  if (resource) {
    return writtenReply(request, await createResource(ctx, 'Binary', resource), extended);
  }
  const securityContext = request.headers.get('x-security-context') ?? undefined;
  const row = await createBinary(ctx, { contentType, securityContext, bytes });
  return writtenReply(request, { row, created: true, changed: true }, extended);
}

/** GET Binary/[id]: the bytes as they came, or a range of them, or the resource with them in it when FHIR is asked for. */
export async function getBinary(ctx: Ctx, { request, url, params, extended }: RouteInput<unknown>): Promise<Reply> {
  const { row, contentType, bytes } = await readBinary(ctx, params.id!);
  const headers = { etag: etag(row), 'last-modified': row.lastUpdated.toUTCString(), vary: 'Accept' };
  if (isUnmodified(request, row)) return { status: 304, headers };
  if (asksForFhir(request, url)) {
    return fhir(`${toWire(row, extended).slice(0, -1)},"data":"${bytes.toString('base64')}"}`, 200, headers);
  }
  // Whatever somebody uploaded must not run as a page of ours.
  const harmless = { 'content-disposition': 'attachment', 'content-security-policy': "default-src 'none'; sandbox" };
  const all = { ...headers, ...harmless, 'accept-ranges': 'bytes' };
  const range = request.method === 'GET' ? readByteRange(request, bytes.length) : undefined;
  if (!range) return { status: 200, body: bytes, contentType, headers: all };
  const { first, last } = range;
  const part = { ...all, 'content-range': `bytes ${first}-${last}/${bytes.length}` };
  return { status: 206, body: bytes.subarray(first, last + 1), contentType, headers: part };
}

function asBinary(bytes: Uint8Array): unknown {
  const text = Buffer.from(bytes).toString('utf8');
  if (!text.includes('"Binary"')) return undefined;
  refuseManyValues(text);
  const value = parseJson(text);
  return (value as { resourceType?: unknown } | null)?.resourceType === 'Binary' ? value : undefined;
}
