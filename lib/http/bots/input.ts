import { AppError } from '#lib/base/errors.ts';
import type { BotEvent } from '#lib/domain/runs/bot-request.ts';
import { toEvent } from '#lib/domain/runs/to-event.ts';
import { decodeHl7 } from '#lib/protocol/hl7/decode.ts';
import { Hl7Error } from '#lib/protocol/hl7/error.ts';
import { HL7_TYPE } from '#lib/protocol/hl7/media-type.ts';
import { leavePlaces } from '../door/large-bodies.ts';
import { BODY_LIMIT, contentLimit, mediaType, readBytes, readText } from '../door/read-body.ts';

export type ReceivedInput = {
  event: BotEvent;
  rawText: string | undefined;
  contentType: string;
  headers: Record<string, string>;
  mediaType: string;
};

/** Never shown to a bot: it could act as its caller, or takes for ours what its caller says (bot-operation.ts). */
const HIDDEN_HEADERS = new Set([
  'authorization',
  'cookie',
  'proxy-authorization',
  'x-gatehouse-remote',
  'x-gatehouse-edited',
  'x-gatehouse-operation',
  'x-gatehouse-operation-on',
]);

/**
 * What a bot is given (contract §2.5): by content type, parameters of the type ignored. GET is the query as a map of strings, the last
 * of a repeated name; by identifier, `identifier` is the address and not input. An unknown type is 415: no payload is ever lost.
 */
export async function readBotInput(
  request: Request,
  url: URL,
  addressedBy: 'id' | 'identifier',
): Promise<ReceivedInput> {
  const headers = Object.fromEntries([...request.headers].filter(([name]) => !HIDDEN_HEADERS.has(name)));
  if (request.method === 'GET' || request.method === 'HEAD') {
    const query = Object.fromEntries(url.searchParams);
    if (addressedBy === 'identifier') delete query.identifier;
    const event = { kind: 'json' as const, text: JSON.stringify(query) };
    return { event, rawText: undefined, contentType: '', headers, mediaType: '' };
  }
  const type = mediaType(request);
  const text = await readInputText(request, type);
  const event = toEvent(type, text);
  leavePlaces(request);
  return {
    event,
    rawText: text,
    contentType: request.headers.get('content-type') ?? '',
    headers,
    mediaType: type,
  };
}

/** Text and HL7 come in whatever character set they name; everything else is UTF-8. 400 for bytes that are not of it. */
async function readInputText(request: Request, type: string): Promise<string> {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(request.headers.get('content-type') ?? '')?.[1];
  // Of fields there could be millions.
  const limit = type === 'application/x-www-form-urlencoded' ? BODY_LIMIT : contentLimit();
  if (type === HL7_TYPE) return decode(await readBytes(request, limit), (bytes) => decodeHl7(bytes, charset));
  if (type !== 'text/plain' || !charset || /^(?:utf-8|us-ascii)$/i.test(charset)) return readText(request, limit);
  return decode(await readBytes(request, limit), (bytes) => new TextDecoder(charset, { fatal: true }).decode(bytes));
}

function decode(bytes: Uint8Array, run: (bytes: Uint8Array) => string): string {
  try {
    return run(bytes);
  } catch (cause) {
    const text = cause instanceof Hl7Error ? cause.message : 'The body is not of the character set of its Content-Type';
    throw new AppError('structure', text, { cause });
  }
}
