import { isUtf8 } from 'node:buffer';
import { AppError } from '#lib/base/errors.ts';
import { isLongInJson } from '#lib/base/is-long-in-json.ts';
import type { BotApiReply } from '#lib/domain/runs/bot-api.ts';
import type { Reply, StreamedReply } from '../../door/reply.ts';

/** Of an answer: it is in memory three times on its way into the bot. */
const MOST_BYTES = 16 * 1024 * 1024;
const TEXT = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml)\b|x-application\/hl7)/;

/** An answer in one piece, as text or base64. Throws 400 too-costly for one that is too long. */
export async function toBotApiReply(request: Request, reply: Reply | StreamedReply): Promise<BotApiReply> {
  const { status, contentType, headers = {} } = reply;
  if (contentType?.startsWith('text/event-stream') && reply.body instanceof ReadableStream) {
    await reply.body.cancel();
    throw new AppError('invalid', 'This is answered as a stream, which has no end: the client of a bot waits for one');
  }
  const isBodyless = status === 204 || status === 304 || request.method === 'HEAD';
  const body = isBodyless ? '' : await wholeOf(reply.body ?? '');
  // Text in another character set is bytes: whoever reads it knows in which it is.
  const isText = typeof body === 'string' || (TEXT.test(contentType ?? '') && isUtf8(body));
  const whole = isText ? body.toString() : undefined;
  const isBase64 = whole === undefined || isLongInJson(whole);
  const text = isBase64 ? Buffer.from(body as string).toString('base64') : whole;
  return {
    status,
    headers: {
      ...headers,
      ...(contentType && { 'content-type': contentType }),
      ...(text === '' && { 'content-length': '0' }),
    },
    body: text,
    ...(isBase64 && { isBase64: true }),
  };
}

async function wholeOf(body: string | Uint8Array | ReadableStream<Uint8Array>): Promise<string | Buffer> {
  if (typeof body === 'string') return requireShort(body, body.length);
  if (body instanceof Uint8Array) return Buffer.from(requireShort(body, body.length));
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    chunks.push(requireShort(chunk, size));
  }
  return Buffer.concat(chunks);
}

function requireShort<T>(value: T, length: number): T {
  if (length <= MOST_BYTES) return value;
  throw new AppError('too-costly', 'The answer has more than 16 MiB: ask for less at once, or for a range');
}
