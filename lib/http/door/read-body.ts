import type { z } from 'zod';
import { env } from '#lib/base/env.ts';
import { AppError } from '#lib/base/errors.ts';
import { isJson } from '#lib/protocol/json/is-json.ts';
import { withPlainNumbers } from '#lib/protocol/json/json.ts';
import { parseBody } from '#lib/protocol/json/parse-body.ts';
import type { ScanOptions } from '#lib/protocol/json/scan.ts';
import { toIssues } from '#lib/protocol/zod-issues.ts';
import { beforeReading, beforeWork, breathe } from './large-bodies.ts';
import { requireUtf8 } from './require-utf8.ts';
import { isPacked, unpacked } from './unpack.ts';

const MIB = 1024 * 1024;
/** Of what people and programs ask of us (contract §5.8). What they store or send to a bot may be larger: see contentLimit. */
export const BODY_LIMIT = MIB;
/** A list of thousands may be wrong in every line. */
const MOST_ISSUES = 200;

/** An object, not a bare function: TypeScript infers `B` through it inside a route's literal. */
export type BodyReader<B> = { read: (request: Request) => Promise<B> };

/**
 * A body of the JSON family, checked against `schema`: every wrong field is one issue with its path. `root` stands before the paths
 * of a body that is a resource (`Project.name`).
 */
export function jsonBody<T>(schema: z.ZodType<T>, root?: string, limit = BODY_LIMIT): BodyReader<T> {
  return {
    read: async (request) => {
      const result = schema.safeParse(withPlainNumbers(await readJson(request, limit)));
      if (result.success) return result.data;
      throw new AppError('invalid', 'Invalid request', {
        issues: toIssues(result.error, root).slice(0, MOST_ISSUES),
      });
    },
  };
}

/** How many bytes a resource, a patch or a bot's input may have. */
export function contentLimit(): number {
  return env().MAX_BODY_MIB * MIB;
}

/** A body of the JSON family that the verb checks itself. */
export const anyJson: BodyReader<unknown> = { read: (request) => readJson(request) };

const given = new WeakMap<Request, unknown>();

/** Says what the body of a request holds that came inside of another, as an entry of a Bundle: it was read, and is JSON that can be stored. */
export function giveBody(request: Request, value: unknown): void {
  given.set(request, value);
}

/**
 * A body of the JSON family as it is; `undefined` when there is none. `mostValues`: see refuseManyValues; `ofEach`: of each item of a list.
 */
export async function readJson(
  request: Request,
  limit = BODY_LIMIT,
  mostValues?: number,
  ofEach?: ScanOptions['ofEach'],
): Promise<unknown> {
  if (given.has(request)) return given.get(request);
  const text = await readText(request, limit);
  if (text === '') return undefined;
  const type = mediaType(request);
  if (type !== '' && !isJson(type)) {
    throw new AppError('unsupported-media-type', `Unsupported Content-Type: ${type}; send JSON`);
  }
  const value = await parseBody(text, { most: mostValues, ofEach });
  await breathe(text.length);
  const fault = UNSTORABLE.test(text) ? findUnstorable(value) : undefined;
  if (fault !== undefined) throw unstorable(fault);
  return value;
}

/** Escapes of what PostgreSQL keeps in no text: NUL, and the half of a surrogate pair. A first look, as cheap as they are rare. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;

/** The path of the first such text, '' for the value itself. Put together on the way back: a body may have millions of values. */
function findUnstorable(value: unknown): string | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : '';
  if (typeof value !== 'object' || value === null) return undefined;
  // Of a list the indexes need not be made texts: it may have a million items.
  if (Array.isArray(value)) {
    const at = value.findIndex((item) => findUnstorable(item) !== undefined);
    return at < 0 ? undefined : joined(`[${at}]`, findUnstorable(value[at])!);
  }
  for (const key in value) {
    if (!isStorable(key)) return '';
    const below = findUnstorable((value as Record<string, unknown>)[key]);
    if (below === undefined) continue;
    return joined(key, below);
  }
  return undefined;
}

function joined(at: string, below: string): string {
  return below === '' || below.startsWith('[') ? at + below : `${at}.${below}`;
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000');
}

function unstorable(expression: string): AppError {
  const text = expression ? `${expression} has a character that is not allowed` : 'A character is not allowed';
  return new AppError('structure', text, { expression: expression || undefined });
}

/** Form fields. Throws 400 for any other content type (contract §1.2). */
export async function readForm(request: Request, limit = BODY_LIMIT): Promise<URLSearchParams> {
  if (mediaType(request) !== 'application/x-www-form-urlencoded') {
    throw new AppError('invalid', 'Unsupported content type: send application/x-www-form-urlencoded');
  }
  const text = await readText(request, limit);
  requireUtf8(text, 'form');
  const form = new URLSearchParams(text);
  for (const [name, value] of form) if (!isStorable(value)) throw unstorable(name.slice(0, 80));
  return form;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** UTF-8, at most `limit` bytes: 413 beyond, 400 for bytes that are not UTF-8, 415 for a body compressed otherwise than by gzip. */
export async function readText(request: Request, limit = BODY_LIMIT): Promise<string> {
  const bytes = await readBytes(request, limit);
  try {
    return UTF8.decode(bytes);
  } catch (cause) {
    throw new AppError('structure', 'The body is not UTF-8', { cause });
  }
}

export async function readBytes(request: Request, limit = BODY_LIMIT): Promise<Uint8Array<ArrayBuffer>> {
  if (given.has(request)) return new TextEncoder().encode(JSON.stringify(given.get(request)));
  const packed = isPacked(request);
  const length = request.headers.get('content-length');
  if (Number(length ?? 0) > limit) throw tooLarge(limit);
  await beforeReading(request, Number(length ?? 0));
  // Ours alone: the standard says "unusable" for it, in the middle of what else goes wrong with a body.
  if (request.bodyUsed) throw new Error('A body is read once');
  const bytes = await (packed ? readChunks(request, unpacked(request, limit), limit) : readWhole(request, limit)).catch(
    (error: unknown) => {
      throw error instanceof AppError ? error : cutOff(error);
    },
  );
  await beforeWork(request, bytes.length);
  return bytes;
}

async function readWhole(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const isMeasured = request.headers.get('content-length') !== null && measured.has(request);
  return isMeasured ? new Uint8Array(await request.arrayBuffer()) : readStream(request, limit);
}

/** Its sender went away, or was too slow (watch-bodies.ts). 4xx, that nobody is called for it: there is often nobody to read the answer. */
export function cutOff(cause: unknown): AppError {
  return new AppError('structure', 'The body did not arrive in full', { cause });
}

const measured = new WeakSet<Request>();

/**
 * Says that the body cannot be longer than its Content-Length: Node's parser has seen to it. Then it is read without a stream, which
 * costs more than a small body does.
 */
export function trustLength(request: Request): void {
  measured.add(request);
}

async function readStream(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  return request.body ? readChunks(request, request.body, limit) : new Uint8Array();
}

async function readChunks(
  request: Request,
  body: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge(limit);
    await beforeReading(request, size);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** The media type without parameters, in lower case; '' when there is none. */
export function mediaType(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
}

export function tooLarge(limit: number): AppError {
  return new AppError('content-too-large', `The body is larger than ${limit} bytes`);
}
