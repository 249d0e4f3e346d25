import { AppError } from '#lib/base/errors.ts';
import { contentLimit, mediaType, readJson } from '../door/read-body.ts';

const JSON_PATCH = new Set(['', 'application/json-patch+json', 'application/json']);
const FHIRPATH_PATCH = 'application/fhir+json';

/** A JSON Patch (RFC 6902) or, as FHIR, a FHIRPath Patch (R4 fhirpatch), still unchecked. XML Patch is 415. */
export async function readPatch(request: Request): Promise<unknown> {
  const type = mediaType(request);
  const isFhir = type === FHIRPATH_PATCH;
  if (!JSON_PATCH.has(type) && !isFhir) {
    const accepted = `application/json-patch+json, ${FHIRPATH_PATCH}`;
    throw new AppError('unsupported-media-type', `Unsupported patch: ${type}; send ${accepted}`, {
      headers: { 'accept-patch': accepted },
    });
  }
  const body = await readJson(request, contentLimit());
  if (body === undefined) throw new AppError('structure', 'The body is empty: send a patch');
  if (isFhir === Array.isArray(body)) {
    const text = isFhir ? 'A FHIRPath Patch is Parameters' : 'A JSON Patch is an array of operations';
    throw new AppError('invalid', text);
  }
  return body;
}
