import { AppError } from '#lib/base/errors.ts';

const JSON_FORMATS = new Set(['json', 'application/json', 'application/fhir+json', 'text/json']);

type Range = { type: string; quality: number; parameters: string[] };

/** Throws 406 when the caller takes nothing that we write: FHIR R4 as JSON. `_format` is stronger than Accept (R4 http §3.1.0.1.11). */
export function requireAcceptable(request: Request, url: URL): void {
  const format = url.searchParams.get('_format');
  if (format !== null) {
    // A `+` that was not percent-encoded arrives as a space.
    const [type = ''] = format.replaceAll(' ', '+').split(';');
    if (!JSON_FORMATS.has(type.toLowerCase())) throw notAcceptable(`_format=${format.slice(0, 80)}`);
    return;
  }
  const accept = request.headers.get('accept');
  if (accept && !parseAccept(accept).some(takesFhirJson)) throw notAcceptable('this Accept header');
}

/** Whether FHIR JSON is asked for by name: a Binary is sent as it is otherwise (R4 Binary §2.33.3). */
export function asksForFhir(request: Request, url: URL): boolean {
  const format = url.searchParams.get('_format');
  if (format !== null) return JSON_FORMATS.has(format.replaceAll(' ', '+').toLowerCase());
  return parseAccept(request.headers.get('accept') ?? '').some(
    ({ type, quality }) => quality > 0 && type === 'application/fhir+json',
  );
}

function parseAccept(accept: string): Range[] {
  return accept.split(',').map((part) => {
    const [type = '', ...parameters] = part.split(';').map((item) => item.trim().toLowerCase());
    const quality = parameters.find((item) => item.startsWith('q='));
    return { type, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0, parameters };
  });
}

function takesFhirJson({ type, quality, parameters }: Range): boolean {
  if (quality === 0 || (type !== '*/*' && type !== 'application/*' && !JSON_FORMATS.has(type))) return false;
  const version = parameters.find((item) => item.startsWith('fhirversion='));
  return version === undefined || /^fhirversion="?4\.0(?:\.1)?"?$/.test(version);
}

function notAcceptable(what: string): AppError {
  return new AppError('not-acceptable', `${what} cannot be served: only application/fhir+json, FHIR 4.0`);
}
