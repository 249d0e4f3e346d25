import { env } from '#lib/base/env.ts';
import { AppError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/domain/access/context.ts';
import { openBytes, readWhole } from '#lib/domain/bytes/find-bytes.ts';
import { toContext } from '#lib/domain/rest/binary/context.ts';
import { createBinary, type RawBinary } from '#lib/domain/rest/binary/create-binary.ts';
import { readBinary } from '#lib/domain/rest/binary/read-binary.ts';
import { updateBinary } from '#lib/domain/rest/binary/update-binary.ts';
import { createResource } from '#lib/domain/rest/create-resource.ts';
import { isSubset, toPart } from '#lib/domain/rest/search/subset.ts';
import { updateResource } from '#lib/domain/rest/update-resource.ts';
import { etag, toWire } from '#lib/domain/store/row.ts';
import { parseJson } from '#lib/protocol/json/json.ts';
import { refuseManyValues } from '#lib/protocol/json/refuse-many-values.ts';
import type { RouteInput } from '../door/api-route.ts';
import { readBytes } from '../door/read-body.ts';
import { fhir, type Reply, type StreamedReply } from '../door/reply.ts';
import { fileBody } from '../door/stream-body.ts';
import { streamed } from '../door/streamed.ts';
import { readByteRange } from './byte-range.ts';
import { isLenient, readPartOf } from './general.ts';
import { asksForFhir } from './negotiation.ts';
import { isUnmodified, readPreconditions } from './preconditions.ts';
import { writtenReply } from './reply.ts';

const MIB = 1024 * 1024;
/** Of a Binary as FHIR JSON, which is in memory as a whole: what comes, and of the bytes in what goes. */
const JSON_LIMIT = 20 * MIB;
/** R4 lets a media type say more than a header holds, and any length of it. */
const HEADER_TYPE = /^[\x20-\x7e]{1,4096}$/;
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+(?:\s*;\s*[\w.-]+=(?:[\w.+-]+|"[^"\\]*"))*$/;

/**
 * POST Binary: raw bytes of any type, or a Binary resource as FHIR JSON. Other FHIR JSON is a file like any other. `_filename` is
 * taken and not kept: the Attachment that points here has the title.
 */
export async function postBinary(ctx: Ctx, { request, extended }: RouteInput<unknown>): Promise<Reply> {
  const body = await readBody(request);
  const conditions = { ifNoneExist: request.headers.get('if-none-exist') ?? undefined };
  const written = body.raw
    ? await createBinary(ctx, body.raw, conditions)
    : await createResource(ctx, 'Binary', body.resource, conditions);
  return writtenReply(request, written, extended);
}

/** PUT Binary/[id]: as POST; the resource without `data` keeps the bytes. */
export async function putBinary(ctx: Ctx, { request, params, extended }: RouteInput<unknown>): Promise<Reply> {
  const given = readPreconditions(request);
  const body = await readBody(request);
  const written = body.raw
    ? await updateBinary(ctx, params.id!, body.raw, given)
    : await updateResource(ctx, 'Binary', params.id!, body.resource, given);
  return writtenReply(request, written, extended);
}

type Body = { resource: unknown; raw?: undefined } | { raw: RawBinary };

async function readBody(request: Request): Promise<Body> {
  const contentType = request.headers.get('content-type')?.trim() ?? '';
  if (!MEDIA_TYPE.test(contentType)) throw new AppError('invalid', 'Content-Type must say what the bytes are');
  const of = { contentType, securityContext: toContext(request.headers.get('x-security-context')) };
  if (!/^application\/fhir\+json\b/i.test(contentType))
    return { raw: { ...of, bytes: fileBody(request, env().MAX_BINARY_MIB * MIB) } };
  const { buffer, byteOffset, length } = await readBytes(request, JSON_LIMIT);
  const bytes = Buffer.from(buffer, byteOffset, length);
  const resource = asBinary(bytes);
  return resource ? { resource } : { raw: { ...of, bytes } };
}

/**
 * GET Binary/[id], or a version of it: the bytes as they came, or a range of them, or the resource with them in it when FHIR is asked for. What is sent as it
 * is comes from where it is kept as fast as it is taken.
 */
export async function getBinary(
  ctx: Ctx,
  { request, url, params, extended }: RouteInput<unknown>,
): Promise<Reply | StreamedReply> {
  const part = readPartOf(url, { isLenient: isLenient(request) });
  const asFhir = asksForFhir(request, url);
  if (isSubset(part) && !asFhir) {
    throw new AppError('invalid', 'Bytes come whole: ask for the resource, by _format=json', {
      expression: part.summary ? '_summary' : '_elements',
    });
  }
  const { row, contentType: said, found } = await readBinary(ctx, params.id!, params.vid);
  const contentType = HEADER_TYPE.test(said) ? said : 'application/octet-stream';
  const headers = { etag: etag(row), 'last-modified': row.lastUpdated.toUTCString(), vary: 'Accept' };
  if (isUnmodified(request, row)) return { status: 304, headers };
  if (asFhir) {
    if (found.size > JSON_LIMIT)
      throw new AppError('too-costly', `It has ${found.size} bytes: ask for them as they are, by Accept: */*`);
    const withData = isSubset(part) && !part.elements?.includes('data') ? Buffer.alloc(0) : await readWhole(found);
    const data = withData.toString('base64');
    const told = data === '' ? '' : `,"data":"${data}"`;
    return fhir(toPart('Binary', `${toWire(row, extended).slice(0, -1)}${told}}`, part), 200, headers);
  }
  // Whatever somebody uploaded must not run as a page of ours.
  const harmless = { 'content-disposition': 'attachment', 'content-security-policy': "default-src 'none'; sandbox" };
  const all = { ...headers, ...harmless, 'accept-ranges': 'bytes' };
  const range = request.method === 'GET' ? readByteRange(request, found.size) : undefined;
  const length = range ? range.last - range.first + 1 : found.size;
  const told = { ...all, 'content-length': String(length) };
  const ranged = range && { 'content-range': `bytes ${range.first}-${range.last}/${found.size}` };
  const status = range ? 206 : 200;
  if (request.method === 'HEAD') return { status, contentType, headers: told };
  return { status, body: streamed(await openBytes(found, range)), contentType, headers: { ...told, ...ranged } };
}

function asBinary(bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  if (!text.includes('"Binary"')) return undefined;
  refuseManyValues(text);
  const value = parseJson(text);
  return (value as { resourceType?: unknown } | null)?.resourceType === 'Binary' ? value : undefined;
}
