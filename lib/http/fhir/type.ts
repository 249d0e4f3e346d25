import { AppError } from '#lib/base/errors.ts';
import { createResource } from '#lib/domain/rest/create-resource.ts';
import { deleteMatching } from '#lib/domain/rest/delete-resource.ts';
import { patchMatching } from '#lib/domain/rest/patch-resource.ts';
import { requireRight } from '#lib/domain/rest/require-right.ts';
import { searchResources } from '#lib/domain/rest/search/search-resources.ts';
import { updateMatching } from '#lib/domain/rest/update-resource.ts';
import { always } from '#lib/domain/sessions/acting/in-view.ts';
import { mostValues } from '#lib/protocol/fhir/most-values.ts';
import { apiRoute } from '../door/api-route.ts';
import { contentLimit, readJson } from '../door/read-body.ts';
import { fhir } from '../door/reply.ts';
import { postBinary } from './binary.ts';
import { readGeneral } from './general.ts';
import { systemHistory } from './history.ts';
import { requireAcceptable } from './negotiation.ts';
import { runOperation } from './operations/mounted.ts';
import { readPatch } from './patch.ts';
import { readPreconditions, refuseKey } from './preconditions.ts';
import { searchShape } from './prefer.ts';
import { deletedReply, writtenReply } from './reply.ts';
import { readSearchForm } from './search-form.ts';
import { searchByForm } from './system.ts';

/** GET [type]?…, and GET _history and $operation: Next mounts no folder whose name begins so. */
export const searchType = apiRoute({
  inView: always,
  async run(ctx, input) {
    const { request, url, params, extended } = input;
    if (params.type === '_history') return systemHistory(ctx, input);
    if (params.type?.startsWith('$')) return runOperation(params.type, { ctx, type: '', request, url, extended });
    requireAcceptable(request, url);
    return fhir(await searchResources(ctx, params.type!, [...url.searchParams], searchShape(request, extended)));
  },
});

/** POST [type], also with If-None-Exist; and POST _search, over types, and $operation. */
export const createInType = apiRoute({
  inView: ({ type }) => isReading(type),
  async run(ctx, input) {
    const { request, url, params, extended } = input;
    if (params.type?.startsWith('$')) return runOperation(params.type, { ctx, type: '', request, url, extended });
    if (params.type === '_search') {
      requireAcceptable(request, url);
      return searchByForm(ctx, input);
    }
    const part = readGeneral(request, url, params.type === 'Binary' ? ['_filename'] : []);
    refuseKey(request);
    await requireRight(ctx, params.type!, 'create');
    if (params.type === 'Binary') return postBinary(ctx, input);
    const ifNoneExist = request.headers.get('if-none-exist') ?? undefined;
    const written = await createResource(
      ctx,
      params.type!,
      await readJson(request, contentLimit(), mostValues(params.type)),
      { ifNoneExist },
    );
    return writtenReply(request, written, extended, part);
  },
});

/** PUT [type]?condition */
export const updateInType = apiRoute({
  async run(ctx, { request, url, params, extended }) {
    requireAcceptable(request, url);
    const given = readPreconditions(request);
    await requireRight(ctx, params.type!, 'update');
    const written = await updateMatching(
      ctx,
      params.type!,
      url.search,
      await readJson(request, contentLimit(), mostValues(params.type)),
      given,
    );
    return writtenReply(request, written, extended);
  },
});

/** PATCH [type]?condition */
export const patchInType = apiRoute({
  async run(ctx, { request, url, params, extended }) {
    requireAcceptable(request, url);
    const given = readPreconditions(request);
    refuseKey(request);
    await requireRight(ctx, params.type!, 'update');
    const written = await patchMatching(ctx, params.type!, url.search, await readPatch(request), given);
    return writtenReply(request, written, extended);
  },
});

/** DELETE [type]?condition */
export const deleteInType = apiRoute({
  async run(ctx, { request, url, params }) {
    requireAcceptable(request, url);
    await deleteMatching(ctx, params.type!, url.search, readPreconditions(request));
    return deletedReply(request);
  },
});

/** POST [type]/_search and POST [type]/$operation. */
export const postToType = apiRoute({
  inView: ({ id }) => isReading(id),
  async run(ctx, { request, url, params: { type = '', id: name = '' }, extended }) {
    if (name.startsWith('$')) return runOperation(name, { ctx, type, request, url, extended });
    if (name !== '_search') {
      const headers = { allow: 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS' };
      throw new AppError('method-not-allowed', `POST to ${type}, not to an instance`, { headers });
    }
    requireAcceptable(request, url);
    const params = [...url.searchParams, ...(await readSearchForm(request))];
    return fhir(await searchResources(ctx, type, params, searchShape(request, extended)));
  },
});

/** Whether a POST there may be a read: a search by a form, or an operation, which says by itself what it is. */
function isReading(name = ''): boolean {
  return name === '_search' || name.startsWith('$');
}
