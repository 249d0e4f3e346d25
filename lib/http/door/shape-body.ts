import { Duplex, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, createGzip, gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import { env } from '#lib/base/env.ts';
import { pretty } from '#lib/protocol/json/pretty.ts';

/** Characters below which gzip saves nothing worth a header. */
const WORTH_PACKING = 2048;
/** Beyond it the text is packed in pieces, as it is sent. */
const LARGE = 1024 * 1024;
/** As small as the standard's 6, to a twentieth, at two thirds of its time. */
const OPTIONS = { level: 3, strategy: constants.Z_DEFAULT_STRATEGY };
/** Nobody reads more than that, and to lay it out takes the process's time. */
const MOST_PRETTY = 4 * LARGE;
const PIECE = 64 * 1024;

const packed = promisify(gzip) as (text: string, options: typeof OPTIONS) => Promise<Buffer<ArrayBuffer>>;

type Shaped = {
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  headers?: Record<string, string>;
};

const asked = new WeakSet<Request>();

/** Who asks so elsewhere than in the URL. */
export function layOut(request: Request): void {
  asked.add(request);
}

/** A FHIR answer as the caller wants it: laid out for people (`_pretty=true`, R4 http §3.1.0.1.12), as gzip. */
export async function shape(request: Request, text: string): Promise<Shaped> {
  const isAsked = /[?&]_pretty=true(?:&|#|$)/.test(request.url) || asked.has(request);
  const isLaidOut = isAsked && text.length <= MOST_PRETTY;
  const body = isLaidOut ? pretty(text) : text;
  return body.length >= WORTH_PACKING && isPackedFor(request) ? pack(body) : { body };
}

/** The same of what is made while it is sent. */
export function shapeStream(request: Request, body: ReadableStream<Uint8Array>): Shaped {
  if (!isPackedFor(request)) return { body };
  const packing = Duplex.toWeb(createGzip(OPTIONS)) as unknown as TransformStream<Uint8Array, Uint8Array>;
  return { body: body.pipeThrough(packing), headers: { 'content-encoding': 'gzip' } };
}

/** Who does not ask for it pays a look at a header. */
function isPackedFor(request: Request): boolean {
  if (!env().COMPRESS_ANSWERS) return false;
  const accepted = request.headers.get('accept-encoding');
  if (!accepted?.includes('gzip') && !accepted?.includes('*')) return false;
  return new Negotiator({ headers: { 'accept-encoding': accepted } }).encoding(['gzip', 'identity']) === 'gzip';
}

/** Off the event loop; what is large piece by piece, as the caller takes it. */
async function pack(text: string): Promise<Shaped> {
  const headers = { 'content-encoding': 'gzip' };
  if (text.length <= LARGE) return { body: await packed(text, OPTIONS), headers };
  const stream = Readable.from(pieces(text)).pipe(createGzip(OPTIONS));
  return { body: Readable.toWeb(stream) as ReadableStream<Uint8Array>, headers };
}

function* pieces(text: string): Generator<Buffer> {
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + PIECE, text.length);
    // Not between the halves of a surrogate pair.
    if (end < text.length && (text.charCodeAt(end) & 0xfc00) === 0xdc00) end += 1;
    yield Buffer.from(text.slice(at, end));
    at = end;
  }
}
