import { STATUS_CODES } from 'node:http';
import { fhirBase } from '#lib/base/fhir-base.ts';
import type { Reply } from '../../door/reply.ts';
import type { Entry } from './parse-entry.ts';

const DONE = /^\{"resourceType":"OperationOutcome","id":"\w+","issue":/;

/** The answer to an entry, as JSON text (R4 bundle §2.36.4.4). `entry` is undefined where its request was none. */
export function toResponse(entry: Entry | undefined, reply: Reply): string {
  const { status, headers = {}, body, lastUpdated } = reply;
  const { etag } = headers;
  // Of what was only begun: where it says how it stands.
  const location = headers.location ?? headers['content-location'];
  const modified = lastUpdated ?? headers['last-modified'];
  const response = JSON.stringify({
    status: `${status} ${STATUS_CODES[status] ?? ''}`.trim(),
    ...(location && { location }),
    ...(etag && { etag }),
    ...(modified && { lastModified: new Date(modified).toISOString() }),
  });
  const isBodyless = entry?.method === 'HEAD' && status < 400;
  if (isBodyless || body === undefined || body.length === 0) return `{"response":${response}}`;
  const text = toObject(reply) ?? toBinary(reply);
  if (isOutcome(entry, status, text)) return `{"response":${response.slice(0, -1)},"outcome":${text}}}`;
  const name = /^\{"resourceType":"(\w+)","id":"([\w.-]+)"/.exec(text);
  const fullUrl = name ? `"fullUrl":"${fhirBase()}/${name[1]}/${name[2]}",` : '';
  return `{${fullUrl}"resource":${text},"response":${response}}`;
}

/** JSON that is an object, as it is. Text that a bot answers may begin like one, and would end the Bundle. */
function toObject({ body, contentType = '' }: Reply): string | undefined {
  const isObject =
    typeof body === 'string' && /^application\/(?:fhir\+)?json\b/.test(contentType) && /^\s*\{/.test(body);
  return isObject ? body : undefined;
}

/** Everything else that a bot answers: a Bundle holds resources alone. */
function toBinary({ body = '', contentType }: Reply): string {
  return JSON.stringify({ resourceType: 'Binary', contentType, data: Buffer.from(body as string).toString('base64') });
}

/** What says that something is done. One that is kept as a resource has a version, and what an operation gives is its result. */
function isOutcome(entry: Entry | undefined, status: number, text: string): boolean {
  if (status >= 400) return true;
  return DONE.test(text) && !entry?.path.some((part) => part.startsWith('$'));
}

/** A Bundle of these answers, as JSON text. */
export function toBundle(type: 'batch-response' | 'transaction-response', entries: readonly string[]): string {
  const entry = entries.length > 0 ? `,"entry":[${entries.join(',')}]` : '';
  return `{"resourceType":"Bundle","type":"${type}"${entry}}`;
}
