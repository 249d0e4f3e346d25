import type { Ctx } from '#lib/domain/access/context.ts';
import { searchTypes } from '#lib/domain/rest/search/search-types.ts';
import { always } from '#lib/domain/sessions/acting/in-view.ts';
import { apiRoute, type RouteInput } from '../door/api-route.ts';
import { fhir, type Reply } from '../door/reply.ts';
import { requireAcceptable } from './negotiation.ts';
import { searchShape } from './prefer.ts';
import { readSearchForm } from './search-form.ts';

/** GET ?_type=…: a search over several types. */
export const searchSystem = apiRoute({
  inView: always,
  async run(ctx, { request, url, extended }) {
    requireAcceptable(request, url);
    return fhir(await searchTypes(ctx, [...url.searchParams], searchShape(request, extended)));
  },
});

/** POST _search: the same, by a form. */
export async function searchByForm(
  ctx: Ctx,
  { request, url, extended }: Pick<RouteInput<unknown>, 'request' | 'url' | 'extended'>,
): Promise<Reply> {
  const params = [...url.searchParams, ...(await readSearchForm(request))];
  return fhir(await searchTypes(ctx, params, searchShape(request, extended)));
}
