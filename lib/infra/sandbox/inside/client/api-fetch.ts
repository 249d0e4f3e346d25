import { tooCostly } from '../../wire/too-costly.ts';
import { isOperationOutcome, type ThrownOutcome } from '../outcome-error.ts';
import { fromBase64, toBase64 } from './base64.ts';
import { PlainResponse } from './plain-response.ts';

export type CallBridge = (method: string, args: unknown[]) => Promise<unknown>;
/** Where a body is not text it is base64, and `isBase64` says so. */
type ApiReply = { status: number; headers: Record<string, string>; body: string; isBase64?: true };
type Init = { method?: string; headers?: unknown; body?: unknown; signal?: { aborted: boolean; reason?: unknown } };

const BODYLESS = new Set([204, 205, 304]);

/**
 * The `fetch` of the client: what lies below our own address is asked over the bridge, under the rights of the bot, and everything else of the
 * bot's own `fetch`, if there is one. Our answers are answers, also when the bridge refuses the call: the client repeats what throws.
 */
export function createApiFetch(callBridge: CallBridge, baseUrl: string, token: string | undefined) {
  return async (url: unknown, init: Init = {}): Promise<unknown> => {
    const address = String(url);
    if (!address.startsWith(baseUrl)) return fetchOutside(address, init, token);
    if (init.signal?.aborted) throw init.signal.reason;
    const headers = toHeaders(init.headers);
    // The bot is known by its run. What it signs in with besides goes along, and is refused there.
    if (headers.authorization === `Bearer ${token}`) delete headers.authorization;
    const request = { method: init.method ?? 'GET', path: address.slice(baseUrl.length - 1), headers };
    const body = await toBody(init.body);
    return toResponse(
      body ? await ask(callBridge, { ...request, ...body }) : refusal(tooCostly('api: more than 6 MiB')),
    );
  };
}

async function ask(callBridge: CallBridge, request: object): Promise<ApiReply> {
  try {
    return (await callBridge('api', [request])) as ApiReply;
  } catch (error) {
    const outcome = (error as { outcome?: unknown } | null)?.outcome;
    if (!isOperationOutcome(outcome)) throw error;
    return refusal(outcome);
  }
}

function refusal(outcome: ThrownOutcome): ApiReply {
  return {
    status: statusOf(outcome),
    headers: { 'content-type': 'application/fhir+json' },
    body: JSON.stringify(outcome),
  };
}

function statusOf(outcome: ThrownOutcome): number {
  const code = outcome.issue[0]?.code;
  // The client asks once more where it may.
  if (code === 'throttled') return 429;
  return code === 'too-costly' ? 413 : 400;
}

/** Our own token goes nowhere else. */
function fetchOutside(address: string, init: Init, token: string | undefined): unknown {
  const { fetch } = globalThis as { fetch?: (address: string, init: Init) => unknown };
  if (!fetch) throw new TypeError('A bot asks no other server');
  const headers = toHeaders(init.headers);
  if (headers.authorization === `Bearer ${token}`) delete headers.authorization;
  return fetch(address, { ...init, headers });
}

/** Names in lower case; of Headers, pairs or a map. */
function toHeaders(given: unknown): Record<string, string> {
  const headers: Record<string, string> = {};
  const isIterable = typeof given === 'object' && given !== null && Symbol.iterator in given;
  const pairs = isIterable ? [...(given as Iterable<[string, unknown]>)] : Object.entries(given ?? {});
  for (const [name, value] of pairs) if (value !== undefined) headers[name.toLowerCase()] = String(value);
  return headers;
}

type Body = { body?: string; isBase64?: true };

/** Undefined for more than goes at once. */
async function toBody(body: unknown): Promise<Body | undefined> {
  if (body === undefined || body === null) return {};
  const bytes = await toBytes(body);
  if (!bytes) return { body: String(body) };
  const text = toBase64(bytes);
  return text === undefined ? undefined : { body: text, isBase64: true };
}

/** Undefined for what is text. */
async function toBytes(body: unknown): Promise<Uint8Array | undefined> {
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  const { arrayBuffer, getReader } = body as { arrayBuffer?: () => Promise<ArrayBuffer>; getReader?: () => Reader };
  if (typeof arrayBuffer === 'function') return new Uint8Array(await arrayBuffer.call(body));
  if (typeof getReader === 'function') return readAll(getReader.call(body));
  const isNodeStream = typeof (body as { pipe?: unknown }).pipe === 'function';
  return isNodeStream ? collect(chunksOf(body as AsyncIterable<unknown>)) : undefined;
}

type Reader = { read(): Promise<{ done: boolean; value?: Uint8Array }> };

async function readAll(reader: Reader): Promise<Uint8Array> {
  async function* chunks() {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value!;
  }
  return collect(chunks());
}

async function* chunksOf(stream: AsyncIterable<unknown>) {
  for await (const chunk of stream) yield chunk instanceof Uint8Array ? chunk : new TextEncoder().encode(String(chunk));
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    all.push(chunk);
    size += chunk.length;
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of all) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

function toResponse({ status, headers, body, isBase64 }: ApiReply): unknown {
  const bytes = BODYLESS.has(status) ? null : isBase64 ? fromBase64(body) : body;
  const { Response = PlainResponse } = globalThis as unknown as { Response?: typeof PlainResponse };
  return new Response(bytes, { status, headers });
}
