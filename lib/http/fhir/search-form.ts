import { AppError } from '#lib/base/errors.ts';
import { mediaType, readForm } from '../door/read-body.ts';

/** A thousand of the longest values that people search for. */
const SEARCH_LIMIT = 256 * 1024;

/** A search by POST may have no body at all. */
export async function readSearchForm(request: Request): Promise<URLSearchParams> {
  const type = mediaType(request);
  if (type === '' || (!request.body && type !== 'application/x-www-form-urlencoded')) return new URLSearchParams();
  if (type !== 'application/x-www-form-urlencoded') {
    throw new AppError('unsupported-media-type', 'Send the search as application/x-www-form-urlencoded');
  }
  return readForm(request, SEARCH_LIMIT);
}
