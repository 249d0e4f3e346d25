import { AppError } from '#lib/base/errors.ts';
import { deleteResource } from '#lib/domain/rest/delete-resource.ts';
import { patchResource } from '#lib/domain/rest/patch-resource.ts';
import { readResource } from '#lib/domain/rest/read-resource.ts';
import { readVersion } from '#lib/domain/rest/read-version.ts';
import { requireRight } from '#lib/domain/rest/require-right.ts';
import { searchCompartment } from '#lib/domain/rest/search/search-compartment.ts';
import { toPart } from '#lib/domain/rest/search/subset.ts';
import { updateResource } from '#lib/domain/rest/update-resource.ts';
import { always } from '#lib/domain/sessions/acting/in-view.ts';
import { mostValues } from '#lib/protocol/fhir/most-values.ts';
import { apiRoute } from '../door/api-route.ts';
import { contentLimit, readJson } from '../door/read-body.ts';
import { fhir } from '../door/reply.ts';
import { getBinary, putBinary } from './binary.ts';
import { readGeneral, requireNoPart } from './general.ts';
import { instanceHistory, typeHistory } from './history.ts';
import { requireAcceptable } from './negotiation.ts';
import { definitionNamed, runOperation } from './operations/mounted.ts';
import { readPatch } from './patch.ts';
import { readPreconditions, refuseKey } from './preconditions.ts';
import { searchShape } from './prefer.ts';
import { deletedReply, resourceReply, writtenReply } from './reply.ts';
import { readSearchForm } from './search-form.ts';

/** GET [type]/[id], GET [type]/_history and GET [type]/$operation. */
export const readInstance = apiRoute({
  inView: always,
  async run(ctx, input) {
    const { request, url, params, extended } = input;
    const type = params.type!;
    const id = params.id!;
    if (id.startsWith('$')) return runOperation(id, { ctx, type, request, url, extended });
    if (id === '_history') return typeHistory(ctx, input);
    if (type === 'Binary') return getBinary(ctx, input);
    const part = readGeneral(request, url);
    // In front of what a project keeps under such an id: metadata refers to it.
    const ours = type === 'OperationDefinition' ? definitionNamed(id) : undefined;
    if (ours) return fhir(toPart(type, JSON.stringify(ours), part));
    return resourceReply(request, await readResource(ctx, type, id), extended, part);
  },
});

/** PUT [type]/[id] */
export const updateInstance = apiRoute({
  async run(ctx, input) {
    const { request, url, params, extended } = input;
    const part = readGeneral(request, url);
    const given = readPreconditions(request);
    await requireRight(ctx, params.type!, 'update', params.id!);
    if (params.type === 'Binary') return putBinary(ctx, input);
    const written = await updateResource(
      ctx,
      params.type!,
      params.id!,
      await readJson(request, contentLimit(), mostValues(params.type)),
      given,
    );
    return writtenReply(request, written, extended, part);
  },
});

/** PATCH [type]/[id] */
export const patchInstance = apiRoute({
  async run(ctx, { request, url, params, extended }) {
    const part = readGeneral(request, url);
    const given = readPreconditions(request);
    refuseKey(request);
    await requireRight(ctx, params.type!, 'update', params.id!);
    const written = await patchResource(ctx, params.type!, params.id!, await readPatch(request), given);
    return writtenReply(request, written, extended, part);
  },
});

/** DELETE [type]/[id] */
export const deleteInstance = apiRoute({
  async run(ctx, { request, url, params }) {
    requireNoPart(request, url);
    await deleteResource(ctx, params.type!, params.id!, readPreconditions(request));
    return deletedReply(request);
  },
});

/** GET [type]/[id]/_history, [type]/[id]/$operation, and [type]/[id]/[member]?…, a search in a compartment. */
export const getBelowInstance = apiRoute({
  inView: always,
  async run(ctx, input) {
    const { request, url, params, extended } = input;
    const { type = '', id = '', op = '' } = params;
    if (op.startsWith('$')) return runOperation(op, { ctx, type, id, request, url, extended });
    if (op === '_history') return instanceHistory(ctx, input);
    requireAcceptable(request, url);
    return fhir(await searchCompartment(ctx, { type, id }, op, [...url.searchParams], searchShape(request, extended)));
  },
});

/** POST [type]/[id]/$operation and [type]/[id]/_search. */
export const postBelowInstance = apiRoute({
  inView: always,
  async run(ctx, { request, url, params, extended }) {
    const { type = '', id = '', op = '' } = params;
    if (op.startsWith('$')) return runOperation(op, { ctx, type, id, request, url, extended });
    if (op === '_search') {
      requireAcceptable(request, url);
      const form = [...url.searchParams, ...(await readSearchForm(request))];
      return fhir(await searchCompartment(ctx, { type, id }, '*', form, searchShape(request, extended)));
    }
    if (op !== '_history') throw unknownBelow(op);
    throw new AppError('method-not-allowed', 'Method not allowed', { headers: { allow: 'GET, HEAD, OPTIONS' } });
  },
});

/** GET [type]/[id]/_history/[vid] */
export const readInstanceVersion = apiRoute({
  inView: always,
  async run(ctx, input) {
    const { request, url, params, extended } = input;
    const { type = '', id = '', op = '', vid = '' } = params;
    if (op !== '_history') throw unknownBelow(op);
    if (type === 'Binary') return getBinary(ctx, input);
    const part = readGeneral(request, url);
    return resourceReply(request, await readVersion(ctx, type, id, vid), extended, part);
  },
});

/** POST [type]/[id]/[member]/_search */
export const searchBelowInstance = apiRoute({
  inView: always,
  async run(ctx, { request, url, params, extended }) {
    const { type = '', id = '', op = '', vid = '' } = params;
    if (vid !== '_search') throw unknownBelow(vid);
    requireAcceptable(request, url);
    const form = [...url.searchParams, ...(await readSearchForm(request))];
    return fhir(await searchCompartment(ctx, { type, id }, op, form, searchShape(request, extended)));
  },
});

function unknownBelow(op: string): AppError {
  return new AppError('unknown-type', `${op.slice(0, 80)} is not supported here`);
}
