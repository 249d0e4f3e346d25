import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import type { Ctx } from '#lib/domain/access/context.ts';
import { parseJson } from '#lib/protocol/json/json.ts';
import { refuseManyValues } from '#lib/protocol/json/refuse-many-values.ts';
import { type RouteHandler, runWithin } from '../../door/api-route.ts';
import { endWork } from '../../door/large-bodies.ts';
import { giveBody } from '../../door/read-body.ts';
import type { Reply } from '../../door/reply.ts';
import {
  deleteInstance,
  getBelowInstance,
  patchInstance,
  postBelowInstance,
  readInstance,
  readInstanceVersion,
  searchBelowInstance,
  updateInstance,
} from '../instance.ts';
import { capabilities } from '../metadata.ts';
import { preferredWithin } from '../prefer.ts';
import { searchSystem } from '../system.ts';
import { createInType, deleteInType, patchInType, postToType, searchType, updateInType } from '../type.ts';
import type { Entry } from './parse-entry.ts';

type Handlers = Partial<Record<Entry['method'], RouteHandler>>;

/** What is mounted below the base (app/fhir/R4), by the length of the path: a test compares. */
export const BELOW_BASE: readonly Handlers[] = [
  { GET: searchSystem },
  { GET: searchType, POST: createInType, PUT: updateInType, PATCH: patchInType, DELETE: deleteInType },
  { GET: readInstance, POST: postToType, PUT: updateInstance, PATCH: patchInstance, DELETE: deleteInstance },
  { GET: getBelowInstance, POST: postBelowInstance },
  { GET: readInstanceVersion, POST: searchBelowInstance },
];
const NAMES = ['type', 'id', 'op', 'vid'];
/** What of the request with the Bundle holds for its entries, too. */
const INHERITED = ['x-medplum', 'user-agent'];

/** Does what the entry asks, as the same request by itself would be done: by its route, with its checks. Throws what that throws. */
export async function runEntry(ctx: Ctx, entry: Entry, outer: Request): Promise<Reply> {
  const handler = handlerOf(entry);
  const request = toRequest(entry, outer);
  // A run may take long, and what it asks for may wait for the place that the Bundle has.
  if (entry.path.at(-1) === '$execute') endWork(outer);
  const params = Object.fromEntries(entry.path.map((part, at) => [NAMES[at]!, part]));
  const reply = await runWithin(handler, ctx, request, params);
  if (!(reply.body instanceof ReadableStream)) return reply as Reply;
  await reply.body.cancel();
  throw new AppError('invalid', 'This is answered as a stream: ask for it by itself', { expression: 'url' });
}

function handlerOf({ path, method, index }: Entry): RouteHandler {
  const expression = `Bundle.entry[${index}].request.url`;
  if (method === 'GET' && path.length === 1 && path[0] === 'metadata') return capabilities;
  const handlers = BELOW_BASE[path.length];
  if (!handlers) throw new AppError('not-found', 'Not found', { expression });
  const handler = handlers[method === 'HEAD' ? 'GET' : method];
  if (handler) return handler;
  const text =
    path.length === 0 && method === 'POST' ? 'A Bundle cannot hold a batch or transaction' : 'Method not allowed';
  throw new AppError('method-not-allowed', text, { expression });
}

function toRequest(entry: Entry, outer: Request): Request {
  const { method, search, ifNoneExist } = entry;
  const headers: Record<string, string> = { accept: 'application/fhir+json', ...entry.headers };
  for (const name of INHERITED) {
    const value = outer.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  const preferred = preferredWithin(outer);
  if (preferred) headers.prefer = preferred;
  if (ifNoneExist !== undefined) headers['if-none-exist'] = toHeader(ifNoneExist, entry);
  // That no other site has a browser send it was asked of the request with the Bundle, which is a POST.
  headers['sec-fetch-site'] = 'same-origin';
  const body = toBody(entry);
  if (body) headers['content-type'] = body.contentType;
  const request = new Request(`${fhirBase()}/_${search}`, { method, headers });
  if (body) giveBody(request, body.value);
  return request;
}

/** A header holds Latin-1 only, and a condition may say what it means percent-encoded. */
function toHeader(condition: string, { index }: Entry): string {
  if (/[\r\n\0]/.test(condition)) {
    throw new AppError('invalid', 'No condition has such characters', {
      expression: `Bundle.entry[${index}].request.ifNoneExist`,
    });
  }
  return condition.replace(/[^\x20-\x7e]/gu, encodeURIComponent);
}

type Body = { value: unknown; contentType: string };

function toBody(entry: Entry): Body | undefined {
  const { resource, method } = entry;
  if (resource === undefined || method === 'GET' || method === 'HEAD' || method === 'DELETE') return undefined;
  if (method === 'PATCH' && resource.resourceType === 'Binary') return patchOf(entry);
  return { value: resource, contentType: 'application/fhir+json' };
}

/** R4 http §3.1.0.11.2: in a Bundle, a patch that is no resource is the data of a Binary. */
function patchOf({ resource, index }: Entry): Body {
  const { contentType, data } = resource as { contentType?: unknown; data?: unknown };
  const expression = `Bundle.entry[${index}].resource.data`;
  if (typeof contentType !== 'string' || typeof data !== 'string') {
    throw new AppError('structure', 'A patch is a Binary with contentType and data', { expression });
  }
  const text = Buffer.from(data, 'base64').toString('utf8');
  refuseManyValues(text);
  const value = parseJson(text);
  if (!JSON.stringify(value).isWellFormed() || text.includes('\\u0000')) {
    throw new AppError('structure', 'A character is not allowed', { expression });
  }
  return { value, contentType: contentType.split(';')[0]!.trim().toLowerCase() };
}
