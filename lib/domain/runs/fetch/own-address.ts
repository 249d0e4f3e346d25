import { STATUS_CODES } from 'node:http';
import { env } from '#lib/base/env.ts';
import type { AnswerCall } from '#lib/infra/sandbox/host/run-job.ts';
import { type FetchRequest, readFetchRequest } from '#lib/protocol/bots/fetch-request.ts';
import { API_METHODS, type BotApiReply, type BotApiRequest } from '../bot-api.ts';
import type { Answered } from './fetch-answer.ts';

/**
 * What a bot's `fetch` asks our own address for, with the token that it was given, is answered as what its client asks: it is a part of the run then, and
 * not somebody's request, and needs no way out and in again. Everything else is answered by `call` as it is.
 */
export function withOwnFetch(call: AnswerCall, token: string | undefined): AnswerCall {
  if (token === undefined) return call;
  return async (method, args, note, signal) => {
    const request = method === 'fetch' ? readFetchRequest(args[0]) : undefined;
    if (!request || 'fault' in request) return call(method, args, note, signal);
    const own = toOwn(request, token);
    if (!own) return call(method, args, note, signal);
    return toAnswered(request.url, (await call('api', [own], note, signal)) as BotApiReply);
  };
}

/** By which the bot asks as somebody else than itself. */
const OTHERS = ['x-medplum-on-behalf-of', 'x-gatehouse-project', 'cookie'];

function toOwn({ method, url, headers: given, body }: FetchRequest, token: string): BotApiRequest | undefined {
  const base = new URL(`${env().BASE_URL}/`).href;
  if (!url.href.startsWith(base)) return undefined;
  const { authorization, ...headers } = Object.fromEntries(given);
  if (authorization !== `Bearer ${token}` || !API_METHODS.has(method) || OTHERS.some((name) => name in headers))
    return undefined;
  const path = `/${url.href.slice(base.length).replace(/#.*$/, '')}`;
  if (body === undefined) return { method, path, headers };
  if (typeof body === 'string') return { method, path, headers, body };
  return { method, path, headers, body: Buffer.from(body).toString('base64'), isBase64: true };
}

function toAnswered(url: URL, { status, headers, body, isBase64 }: BotApiReply): Answered {
  const told = { url: url.href, status, statusText: STATUS_CODES[status] ?? '', headers: Object.entries(headers) };
  return { ...told, isRedirected: false, ...(isBase64 ? { base64: body } : { text: body }) };
}
