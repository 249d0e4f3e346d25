import Negotiator from 'negotiator';
import { AppError } from '#lib/base/errors.ts';
import { acceptedTypes, acceptsOneOf } from '../door/accepted-types.ts';

const JSON_TYPES = ['application/fhir+json', 'application/json', 'text/json'];
const JSON_FORMATS = new Set(['json', ...JSON_TYPES]);
const TAKES_JSON = new Set(['*/*', 'application/*', ...JSON_TYPES]);

/** What we write, with every parameter that a caller may put to it who asks for a version. */
const VERSIONED = JSON_TYPES.flatMap((type) =>
  ['4.0', '4.0.1'].map((version) => `${type}; fhirVersion=${version}; charset=utf-8`),
);

/** Throws 406 when the caller takes nothing that we write: FHIR R4 as JSON. `_format` is stronger than Accept (R4 http §3.1.0.1.11). */
export function requireAcceptable(request: Request, url: URL): void {
  requireReadable(request);
  requireUtf8(request);
  if (!PRETTY.has(url.searchParams.get('_pretty') ?? 'false')) {
    throw new AppError('invalid', '_pretty must be true or false', { expression: '_pretty' });
  }
  const format = url.searchParams.get('_format');
  if (format !== null) {
    const [, ...parameters] = format.split(';');
    if (!isJson(format) || parameters.some(isOtherVersion)) throw notAcceptable(`_format=${format.slice(0, 80)}`);
    return;
  }
  if (request.headers.get('accept') && !takesFhirJson(request)) throw notAcceptable('this Accept header');
}

/** Whether FHIR JSON is asked for by name: a Binary is sent as it is otherwise (R4 Binary §2.33.3). */
export function asksForFhir(request: Request, url: URL): boolean {
  const format = url.searchParams.get('_format');
  if (format !== null) return isJson(format);
  return acceptedTypes(request).includes('application/fhir+json');
}

/** Whatever its parameters. A `+` that was not percent-encoded arrives as a space. */
function isJson(format: string): boolean {
  const [type = ''] = format.split(';');
  return JSON_FORMATS.has(type.trim().replaceAll(' ', '+').toLowerCase());
}

/** Parameters choose nothing here but the version of FHIR (R4 http, “FHIR Version Parameter”). */
function takesFhirJson(request: Request): boolean {
  if (/;\s*fhirVersion\s*=/i.test(request.headers.get('accept') ?? '')) return acceptsOneOf(request, VERSIONED);
  return acceptedTypes(request).some((type) => TAKES_JSON.has(type));
}

const PRETTY = new Set(['true', 'false']);

/** Throws 415 for a body of another version of FHIR, or in another charset than UTF-8, before anything is read of it. */
function requireReadable(request: Request): void {
  const contentType = request.headers.get('content-type');
  if (!contentType?.includes(';')) return;
  const [, ...parameters] = contentType.split(';');
  if (parameters.some(isOtherVersion)) {
    throw new AppError('unsupported-media-type', 'Only FHIR 4.0 is understood: fhirVersion=4.0');
  }
  if (!/^(?:application|text)\/[\w.-]*\+?json\b/i.test(contentType.trim())) return;
  if (parameters.some((each) => /^\s*charset\s*=(?!\s*"?(?:utf-?8|us-ascii)"?\s*$)/i.test(each))) {
    throw new AppError('unsupported-media-type', 'JSON is sent in UTF-8');
  }
}

function isOtherVersion(parameter: string): boolean {
  const [name = '', value = ''] = parameter.split('=', 2);
  if (name.trim().toLowerCase() !== 'fhirversion') return false;
  return !['4.0', '4.0.1'].includes(value.trim().replace(/^"|"$/g, ''));
}

/** All that is sent is UTF-8 (R4 http §3.1.0.1.10). */
function requireUtf8(request: Request): void {
  const charset = request.headers.get('accept-charset');
  if (charset && !new Negotiator({ headers: { 'accept-charset': charset } }).charset(['utf-8'])) {
    throw notAcceptable('this Accept-Charset header');
  }
}

function notAcceptable(what: string): AppError {
  return new AppError('not-acceptable', `${what} cannot be served: only application/fhir+json, FHIR 4.0`);
}
