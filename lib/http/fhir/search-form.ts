import { AppError } from '#lib/base/errors.ts';
import { isIgnored } from '#lib/protocol/fhir/search/controls.ts';
import { mediaType, readForm } from '../door/read-body.ts';
import { layOut } from '../door/shape-body.ts';
import { requireAcceptable } from './negotiation.ts';

/** A thousand of the longest values that people search for. */
const SEARCH_LIMIT = 256 * 1024;

/** A search by POST may have no body at all. */
export async function readSearchForm(request: Request): Promise<URLSearchParams> {
  const type = mediaType(request);
  if (type === '' || (!request.body && type !== 'application/x-www-form-urlencoded')) return new URLSearchParams();
  if (type !== 'application/x-www-form-urlencoded') {
    throw new AppError('unsupported-media-type', 'Send the search as application/x-www-form-urlencoded');
  }
  const form = await readForm(request, SEARCH_LIMIT);
  requireFormat(request, form);
  return form;
}

/** `_format` and `_pretty` count in the form as in the URL. */
function requireFormat(request: Request, form: URLSearchParams): void {
  const asked = [...form].filter(([name]) => isIgnored(name));
  if (asked.length === 0) return;
  const url = new URL(request.url);
  for (const [name, value] of asked) url.searchParams.set(name, value);
  requireAcceptable(request, url);
  if (url.searchParams.get('_pretty') === 'true') layOut(request);
}
