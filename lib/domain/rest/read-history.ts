import { notFound } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { isFhirId } from '#lib/protocol/fhir/references.ts';
import type { Expr } from '#lib/protocol/fhir/search/ir.ts';
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
  const [current, { versions, total, hasMore }] = await Promise.all([
    findRow(projectId, type, id),
    findVisible(projectId, type, id, page, reach),
  ]);
  await requireWithin(current, reach);
  noteRead(ctx, type, id);
  const entries = versions.map((version) => toEntry({ ...shown(actor, version), op: version.op }, extended));
  const link = JSON.stringify(links(type, id, page, hasMore));
  const entry = entries.length > 0 ? `,"entry":[${entries.join(',')}]` : '';
  // Of versions out of reach not even the number is told.
  const counted = total === undefined ? '' : `"total":${total},`;
  return `{"resourceType":"Bundle","type":"history",${counted}"link":${link}${entry}}`;
}

type Visible = { versions: Version[]; total?: number; hasMore: boolean };

const BATCH = 200;

/** Where not all is within reach, pages are of what is: nothing of a page tells that there is more. */
async function findVisible(
  projectId: string,
  type: string,
  id: string,
  page: HistoryPage,
  reach: Expr,
): Promise<Visible> {
  const end = page.offset + page.count;
  if (reach.op === 'all') {
    const found = await findHistory(projectId, type, id, page);
    return { ...found, hasMore: end < found.total };
  }
  const visible: Version[] = [];
  for (let offset = 0, last = BATCH; last === BATCH && visible.length <= end; offset += BATCH) {
    const { versions } = await findHistory(projectId, type, id, { ...page, count: BATCH, offset });
    visible.push(...versions.filter((version) => version.deleted || isWithin(reach, version)));
    last = versions.length;
  }
  return { versions: visible.slice(page.offset, end), hasMore: visible.length > end };
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

function links(type: string, id: string, { count, offset, since }: HistoryPage, hasMore: boolean) {
  const at = (relation: string, start: number) => {
    const params = new URLSearchParams({ _count: String(count), _offset: String(start) });
    if (since) params.set('_since', since.toISOString());
    return { relation, url: `${fhirBase()}/${type}/${id}/_history?${params}` };
  };
  return [
    at('self', offset),
    ...(hasMore ? [at('next', offset + count)] : []),
    ...(offset > 0 ? [at('previous', Math.max(0, offset - count))] : []),
  ];
}
