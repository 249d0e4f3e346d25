import { notFound } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { isFhirId } from '#lib/protocol/fhir/references.ts';
import type { Expr } from '#lib/protocol/fhir/search/ir.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { MAX_OFFSET } from '#lib/protocol/max-offset.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { noteRead } from '../audit/note-read.ts';
import { countHistory, findHistory, type Version } from '../store/find-history.ts';
import { findRow } from '../store/find-row.ts';
import { PAGE_BYTES } from '../store/page-weight.ts';
import { etag, isErased, type Row, toWire } from '../store/row.ts';
import { isWithin, requireWithin } from '../store/within-reach.ts';
import { locate } from './locate.ts';
import type { Shape } from './search/search-resources.ts';
import { shown } from './shown.ts';
import { ruleOf } from './type-rules.ts';

/** `offset` for who pages so; `before`: the version at which the page before ended. */
export type HistoryPage = { count: number; offset?: number; before?: number; since?: Date };

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
  const only = await ruleOf(type).elsewhere?.find(actor, projectId, id);
  const [current, { versions, total, next }] = only
    ? [only, alone(only, page)]
    : await Promise.all([findRow(projectId, type, id), findVisible(projectId, type, id, page, reach)]);
  await requireWithin(current, reach);
  noteRead(ctx, type, id);
  const entries = versions.map((version) => toEntry({ ...shown(actor, version), op: version.op }, extended));
  const link = JSON.stringify(links(type, id, page, { next, shown: versions.length }));
  const entry = entries.length > 0 ? `,"entry":[${entries.join(',')}]` : '';
  // Of versions out of reach not even the number is told.
  const counted = total === undefined ? '' : `"total":${total},`;
  return `{"resourceType":"Bundle","type":"history",${counted}"link":${link}${entry}}`;
}

/** `next`: the version before which the next page goes on, if there is one. */
type Visible = { versions: Version[]; total?: number; next: number | undefined };

/** What never changes has one version. */
function alone(row: Row, { offset = 0, before = 2, since }: HistoryPage): Visible {
  const isShown = offset === 0 && before > row.version && (!since || row.lastUpdated >= since);
  return { versions: isShown ? [{ ...row, op: 'create' }] : [], total: 1, next: undefined };
}

const BATCH = 200;

/** Where not all is within reach, pages are of what is: nothing of a page tells that there is more. */
async function findVisible(
  projectId: string,
  type: string,
  id: string,
  page: HistoryPage,
  reach: Expr,
): Promise<Visible> {
  const { count, offset = 0 } = page;
  if (reach.op === 'all') {
    const [{ versions, more }, total] = await Promise.all([
      findHistory(projectId, type, id, page),
      countHistory(projectId, type, id, page),
    ]);
    return { versions, total, next: more ? versions.at(-1)?.version : undefined };
  }
  const visible: Version[] = [];
  let bytes = 0;
  let before = page.before;
  for (let passed = 0, isMore = true; isMore; ) {
    const { versions, more } = await findHistory(projectId, type, id, { since: page.since, before, count: BATCH });
    for (const version of versions) {
      if (!version.deleted && !isWithin(reach, version)) continue;
      passed += 1;
      if (passed <= offset) continue;
      if (visible.length === count || bytes >= PAGE_BYTES) return { versions: visible, next: visible.at(-1)?.version };
      visible.push(version);
      bytes += version.content?.length ?? 0;
    }
    before = versions.at(-1)?.version;
    isMore = more && before !== undefined;
  }
  return { versions: visible, next: undefined };
}

const REQUESTS: Record<Version['op'], { method: string; status: string }> = {
  create: { method: 'POST', status: '201 Created' },
  update: { method: 'PUT', status: '200 OK' },
  delete: { method: 'DELETE', status: '200 OK' },
};

/** R4 Bundle.entry.response.outcome: what else there is to say. */
const ERASED = {
  resourceType: 'OperationOutcome',
  issue: [{ severity: 'information', code: 'deleted', diagnostics: 'Erased for good, with all versions' }],
};

function toEntry(version: Version, extended: boolean): string {
  const { type, id, op, lastUpdated } = version;
  const { method, status } = REQUESTS[op];
  const request = { method, url: op === 'create' ? type : `${type}/${id}` };
  const outcome = isErased(version) && ERASED;
  const response = {
    status,
    etag: etag(version),
    lastModified: lastUpdated.toISOString(),
    ...(outcome && { outcome }),
  };
  const resource = version.deleted ? '' : `"resource":${toWire(version, extended)},`;
  return `{"fullUrl":"${fhirBase()}/${type}/${id}",${resource}"request":${JSON.stringify(request)},"response":${JSON.stringify(response)}}`;
}

/** Who pages by offset goes on so; a version to go on from is not moved by what others write. */
function links(type: string, id: string, page: HistoryPage, found: { shown: number; next: number | undefined }) {
  const { shown, next } = found;
  const { count, offset, before, since } = page;
  const to = (relation: string, place: Record<string, number | undefined>) => {
    const params = new URLSearchParams({ _count: String(count) });
    for (const [name, value] of Object.entries(place)) if (value !== undefined) params.set(name, String(value));
    if (since) params.set('_since', since.toISOString());
    return { relation, url: `${fhirBase()}/${type}/${id}/_history?${params}` };
  };
  const isByOffset = offset !== undefined && offset + shown <= MAX_OFFSET;
  return [
    to('self', { _offset: offset, _cursor: before }),
    ...(next === undefined ? [] : [to('next', isByOffset ? { _offset: offset + shown } : { _cursor: next })]),
    ...(offset ? [to('previous', { _offset: Math.max(0, offset - count) })] : []),
  ];
}
