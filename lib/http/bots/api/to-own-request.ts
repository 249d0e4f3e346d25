import { env } from '#lib/base/env.ts';
import { AppError } from '#lib/base/errors.ts';
import { API_METHODS, type BotApiRequest } from '#lib/domain/runs/bot-api.ts';

/** Of an address. */
const MOST_CHARACTERS = 16 * 1024;

/** What a request means, which a bot's may say as anybody's. */
const TAKEN = new Set([
  'accept',
  'accept-language',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-modified-since',
  'if-none-exist',
  'if-none-match',
  'prefer',
  'range',
  'x-medplum',
  'x-security-context',
]);
/** What says who asks, which the run has said. Whoever sends them expects something of them. */
const REFUSED = new Set([
  'authorization',
  'cookie',
  'proxy-authorization',
  'x-gatehouse-project',
  'x-gatehouse-remote',
  'x-medplum-on-behalf-of',
]);

/** The request as it would come in by our address. Throws 400 for what leads elsewhere, or would be somebody else's. */
export function toOwnRequest({ method, path, headers, body, isBase64 }: BotApiRequest): Request {
  if (!API_METHODS.has(method)) throw new AppError('invalid', 'There is no such method');
  const bytes = isBase64 ? Buffer.from(body ?? '', 'base64') : body;
  const isBodyless = method === 'GET' || method === 'HEAD';
  if (isBodyless && bytes) throw new AppError('invalid', `${method} has no body`);
  return new Request(toUrl(path), {
    method,
    headers: toHeaders(headers),
    body: isBodyless ? undefined : bytes,
  });
}

function toUrl(path: string): URL {
  const base = env().BASE_URL;
  const url = path.startsWith('/') && path.length <= MOST_CHARACTERS ? URL.parse(`${base}${path}`) : null;
  // Where our address has a path of its own, `..` must not lead out of it; NUL is in no name.
  const isOurs = url?.origin === new URL(base).origin && `${url.origin}${url.pathname}`.startsWith(base);
  if (!url || !isOurs || /%00/.test(url.pathname)) throw new AppError('invalid', 'This address is not ours');
  return url;
}

function toHeaders(given: Record<string, string>): Headers {
  // Nobody's page has sent this: what changes something by GET asks for that (authenticate.ts).
  const headers = new Headers({ 'sec-fetch-site': 'same-origin', 'user-agent': 'bot' });
  for (const [name, value] of Object.entries(given)) {
    const known = name.toLowerCase();
    if (REFUSED.has(known)) {
      throw new AppError('invalid', `${known} is not taken from a bot: it acts with the rights of its own membership`);
    }
    if (!TAKEN.has(known)) continue;
    // A condition may say what it means percent-encoded, as in a Bundle.
    const told = known === 'if-none-exist' ? value.toWellFormed().replace(/[^ -~]/gu, encodeURIComponent) : value;
    if (!/^[ -~]*$/.test(told)) {
      throw new AppError('invalid', `${known} has a character that no header has`);
    }
    headers.set(known, told);
  }
  return headers;
}
