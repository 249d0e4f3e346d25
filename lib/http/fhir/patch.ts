import { AppError } from '#lib/base/errors.ts';
import { contentLimit, mediaType, readJson } from '../door/read-body.ts';

const JSON_PATCH = new Set(['', 'application/json-patch+json', 'application/json']);

/** The operations of a JSON Patch (RFC 6902), still unchecked. FHIRPath Patch and XML Patch are 415. */
export async function readPatch(request: Request): Promise<unknown> {
  const type = mediaType(request);
  if (!JSON_PATCH.has(type)) {
    throw new AppError('unsupported-media-type', `Unsupported patch: ${type}; send application/json-patch+json`, {
      headers: { 'accept-patch': 'application/json-patch+json' },
    });
  }
  const body = await readJson(request, contentLimit());
  if (body === undefined) throw new AppError('structure', 'The body is empty: send a JSON Patch');
  return body;
}
