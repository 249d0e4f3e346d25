import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { MOST_URL } from '#lib/protocol/fhir/bundle-limits.ts';
import { validateResource } from '#lib/protocol/fhir/validate/validate.ts';

/** An entry as the request that it stands for. */
export type Entry = {
  index: number;
  fullUrl: string | undefined;
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base, decoded; empty for the base itself. */
  path: string[];
  /** With the `?`; '' when there is none. */
  search: string;
  resource: Record<string, unknown> | undefined;
  ifNoneExist: string | undefined;
  /** The other conditions, as headers. */
  headers: Record<string, string>;
};

type Asked = { method: Entry['method']; url: string; ifNoneExist?: string } & { [name: string]: string | undefined };

const HEADERS = { ifMatch: 'if-match', ifNoneMatch: 'if-none-match', ifModifiedSince: 'if-modified-since' } as const;

/** Throws 400 that names what is wrong with the entry itself (`Bundle.entry[3].request.url`). Its resource is judged where it is used. */
export function parseEntry(raw: Record<string, unknown>, index: number): Entry {
  const at = `Bundle.entry[${index}]`;
  const { resource, ...shell } = raw;
  const issues = validateResource({ resourceType: 'Bundle', type: 'batch', entry: [shell] }, 'Bundle').map((issue) => ({
    ...issue,
    expression: issue.expression?.replace('Bundle.entry[0]', () => at),
  }));
  // An entry with nothing else would be empty without its resource, which is another fault.
  if (shell.request === undefined) throw wrong('There is no request', `${at}.request`, 'required');
  if (issues.length > 0) throw new AppError('structure', 'Invalid entry', { issues });
  const { method, url, ifNoneExist, ...rest } = shell.request as Asked;
  if (Math.max(url.length, ifNoneExist?.length ?? 0) > MOST_URL) {
    throw wrong(`An address may have ${MOST_URL} characters`, `${at}.request`, 'too-long');
  }
  const { path, search } = split(url, `${at}.request.url`);
  const { fullUrl } = shell as { fullUrl?: string };
  refuseOtherName(fullUrl, path, method, `${at}.fullUrl`);
  return {
    index,
    fullUrl,
    method,
    path,
    search,
    resource: requireBody(method, path, resource, `${at}.resource`),
    ifNoneExist: method === 'POST' ? ifNoneExist : undefined,
    headers: headersOf(rest, at),
  };
}

function headersOf(given: Record<string, string | undefined>, at: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, header] of Object.entries(HEADERS)) {
    const value = given[name];
    if (value === undefined) continue;
    if (!/^[\x20-\x7e]*$/.test(value)) throw wrong('No such value is one of ours', `${at}.request.${name}`, 'value');
    headers[header] = value;
  }
  return headers;
}

/** Relative to the base, with or without a slash, or absolute below ours. */
function split(url: string, expression: string): Pick<Entry, 'path' | 'search'> {
  const base = fhirBase();
  const isOurs = url === base || url.startsWith(`${base}/`) || url.startsWith(`${base}?`);
  if (!isOurs && /^(?:[A-Za-z][A-Za-z0-9+.-]*:|\/\/)/.test(url)) throw wrong('This address is not ours', expression);
  const relative = (isOurs ? url.slice(base.length) : url).replace(/#.*$/s, '').replace(/^\//, '');
  const question = relative.indexOf('?');
  const written = question < 0 ? relative : relative.slice(0, question);
  try {
    const path = written === '' ? [] : written.replace(/\/$/, '').split('/').map(decodeURIComponent);
    if (path.some((part) => part === '' || part.includes('\u0000'))) throw new URIError('empty');
    return { path, search: question < 0 ? '' : relative.slice(question) };
  } catch {
    throw wrong('This is no address below the base', expression);
  }
}

const WITH_BODY = new Set(['PUT', 'PATCH']);

function requireBody(method: Entry['method'], path: string[], given: unknown, expression: string): Entry['resource'] {
  const isOperation = path.some((part) => part.startsWith('$') || part === '_search');
  if (given === undefined && (WITH_BODY.has(method) || (method === 'POST' && !isOperation))) {
    throw wrong(`${method} needs a resource`, expression, 'required');
  }
  if (given === undefined) return undefined;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw wrong('A resource must be a JSON object', expression);
  }
  return given as Record<string, unknown>;
}

/** R4 bundle §2.36.4: who has a name of ours in fullUrl is what the request is about. */
function refuseOtherName(fullUrl: string | undefined, path: string[], method: string, expression: string): void {
  const prefix = `${fhirBase()}/`;
  if (!fullUrl?.startsWith(prefix) || method === 'POST' || path.length !== 2) return;
  if (fullUrl.slice(prefix.length) !== path.join('/')) throw wrong('The request is about another one', expression);
}

function wrong(text: string, expression: string, code?: string): AppError {
  return new AppError('structure', text, { issues: [{ text, expression, ...(code && { code }) }] });
}
