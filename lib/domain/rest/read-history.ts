import { notFound } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { isFhirId } from '#lib/protocol/fhir/references.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { noteRead } from '../audit/note-read.ts';
import { findHistory, type Version } from '../store/find-history.ts';
import { findRow } from '../store/find-row.ts';
import { etag, toWire } from '../store/row.ts';
import { isWithin, requireWithin } from '../store/within-reach.ts';
import { locate } from './locate.ts';
import type { Shape } from './search/search-resources.ts';
import { shown } from './shown.ts';

export type HistoryPage = { count: number; offset: number; since?: Date };

/** A history Bundle as JSON text, newest first, deletions without a resource. Versions out of the caller's reach are left out. */
export async function readHistory(
  ctx: Ctx,
  type: string,
  id: string,
  page: HistoryPage,
  { extended }: Shape = { extended: false },
): Promise<string> {
  const actor = requireActor(ctx);
  typeId(type);
  const { projectId, reach } = await locate(actor, type, id, 'history');
  if (!isFhirId(id)) throw notFound();
  const [current, { versions, total }] = await Promise.all([
    findRow(projectId, type, id),
    findHistory(projectId, type, id, page),
  ]);
  await requireWithin(current, reach);
  noteRead(ctx, type, id);
  const entries = versions
    .filter((version) => version.deleted || isWithin(reach, version))
    .map((version) => toEntry({ ...shown(actor, version), op: version.op }, extended));
  const link = JSON.stringify(links(type, id, page, total));
  const entry = entries.length > 0 ? `,"entry":[${entries.join(',')}]` : '';
  // Of versions out of reach not even the number is told.
  const counted = reach.op === 'all' ? `"total":${total},` : '';
  return `{"resourceType":"Bundle","type":"history",${counted}"link":${link}${entry}}`;
}

const REQUESTS: Record<Version['op'], { method: string; status: string }> = {
  create: { method: 'POST', status: '201 Created' },
  update: { method: 'PUT', status: '200 OK' },
  delete: { method: 'DELETE', status: '200 OK' },
};

function toEntry(version: Version, extended: boolean): string {
  const { type, id, op, lastUpdated } = version;
  const { method, status } = REQUESTS[op];
  const request = { method, url: op === 'create' ? type : `${type}/${id}` };
  const response = { status, etag: etag(version), lastModified: lastUpdated.toISOString() };
  const resource = version.deleted ? '' : `"resource":${toWire(version, extended)},`;
  return `{"fullUrl":"${fhirBase()}/${type}/${id}",${resource}"request":${JSON.stringify(request)},"response":${JSON.stringify(response)}}`;
}

function links(type: string, id: string, { count, offset, since }: HistoryPage, total: number) {
  const at = (relation: string, start: number) => {
    const params = new URLSearchParams({ _count: String(count), _offset: String(start) });
    if (since) params.set('_since', since.toISOString());
    return { relation, url: `${fhirBase()}/${type}/${id}/_history?${params}` };
  };
  return [
    at('self', offset),
    ...(offset + count < total ? [at('next', offset + count)] : []),
    ...(offset > 0 ? [at('previous', Math.max(0, offset - count))] : []),
  ];
}
