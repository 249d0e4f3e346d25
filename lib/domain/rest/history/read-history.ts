import { notFound } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import type { Interval } from '#lib/protocol/fhir/index/date-range.ts';
import { isFhirId } from '#lib/protocol/fhir/references.ts';
import type { Part } from '#lib/protocol/fhir/search/controls.ts';
import type { Expr } from '#lib/protocol/fhir/search/ir.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { MAX_OFFSET } from '#lib/protocol/max-offset.ts';
import { type Ctx, requireActor } from '../../access/context.ts';
import { hasFields } from '../../access/fields.ts';
import { noteRead } from '../../audit/note-read.ts';
import { countHistory, findHistory, type Version, type VersionPage } from '../../store/find-history.ts';
import { findRow } from '../../store/find-row.ts';
import { PAGE_BYTES } from '../../store/page-weight.ts';
import type { Row } from '../../store/row.ts';
import { areWithin, judgeable, requireWithin } from '../../store/within-reach.ts';
import { locate } from '../locate.ts';
import type { Shape } from '../search/search-resources.ts';
import { shownVersions } from '../shown.ts';
import { ruleOf } from '../type-rules.ts';
import { askForPart, toHistoryBundle, toHistoryEntry } from './history-entry.ts';

/** `offset` for who pages so; `before`: the version at which the page before ended. */
export type HistoryPage = {
  count: number;
  offset?: number;
  before?: number;
  since?: Date;
  /** Versions that were current at some time of it, and `text` as the caller said it. */
  at?: Interval & { text: string };
};

/** A history Bundle as JSON text, newest first, deletions without a resource. Versions out of the caller's reach are left out. */
export async function readHistory(
  ctx: Ctx,
  type: string,
  id: string,
  page: HistoryPage,
  shape: Shape = { extended: false },
): Promise<string> {
  const actor = requireActor(ctx);
  typeId(type);
  const { projectId, reach } = await locate(actor, type, id, 'history');
  if (!isFhirId(id)) throw notFound();
  const tx = ctx.write?.tx;
  const only = await ruleOf(type).elsewhere?.find(actor, projectId, id);
  const [current, { versions, total, next }] = only
    ? [only, alone(only, page)]
    : await Promise.all([findRow(projectId, type, id, tx), findVisible(projectId, type, id, { ...page, tx }, reach)]);
  const found = await requireWithin(current, reach, tx);
  const now = found.deleted && hasFields(actor, type) ? await judgeable(found, tx) : found;
  noteRead(ctx, type, id);
  const seen = await shownVersions(actor, versions, now, tx);
  const entries = seen.map((version) => toHistoryEntry(version, shape));
  // Of versions out of reach not even the number is told.
  return toHistoryBundle(entries, total, links(type, id, page, { next, shown: versions.length, part: shape.part }));
}

/** `next`: the version before which the next page goes on, if there is one. */
type Visible = { versions: Version[]; total?: number; next: number | undefined };

/** What never changes has one version. */
function alone(row: Row, { offset = 0, before = 2, since, at }: HistoryPage): Visible {
  const isTimely = (!since || row.lastUpdated >= since) && (!at || row.lastUpdated <= at.hi);
  const isShown = offset === 0 && before > row.version && isTimely;
  return { versions: isShown ? [{ ...row, op: 'create' }] : [], total: 1, next: undefined };
}

const BATCH = 200;

/** Where not all is within reach, pages are of what is: nothing of a page tells that there is more. */
async function findVisible(
  projectId: string,
  type: string,
  id: string,
  page: HistoryPage & Pick<VersionPage, 'tx'>,
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
  let passed = 0;
  for (let isMore = true; isMore; ) {
    const { versions, more } = await findHistory(projectId, type, id, { ...page, offset: 0, before, count: BATCH });
    const within = await areWithin(reach, versions, page.tx);
    for (const [at, version] of versions.entries()) {
      if (!version.deleted && !within[at]) continue;
      passed += 1;
      if (passed <= offset) continue;
      if (visible.length === count || bytes >= PAGE_BYTES) return { versions: visible, next: visible.at(-1)?.version };
      visible.push(version);
      bytes += version.content?.length ?? 0;
    }
    before = versions.at(-1)?.version;
    isMore = more && before !== undefined;
  }
  // Who may see all records is told how many there are, and of what is closed to them nothing either way.
  const isTold = reach.op === 'unguarded' && page.before === undefined;
  return { versions: visible, next: undefined, ...(isTold && { total: passed }) };
}

type Found = { shown: number; next: number | undefined; part: Part | undefined };

/** Who pages by offset goes on so; a version to go on from is not moved by what others write. */
function links(type: string, id: string, page: HistoryPage, found: Found) {
  const { shown, next, part } = found;
  const { count, offset, before, since, at } = page;
  const to = (relation: string, place: Record<string, number | undefined>) => {
    const params = new URLSearchParams({ _count: String(count) });
    for (const [name, value] of Object.entries(place)) if (value !== undefined) params.set(name, String(value));
    if (since) params.set('_since', since.toISOString());
    if (at) params.set('_at', at.text);
    askForPart(params, part);
    return { relation, url: `${fhirBase()}/${type}/${id}/_history?${params}` };
  };
  const isByOffset = offset !== undefined && offset + shown <= MAX_OFFSET;
  return [
    to('self', { _offset: offset, _cursor: before }),
    ...(next === undefined ? [] : [to('next', isByOffset ? { _offset: offset + shown } : { _cursor: next })]),
    ...(offset ? [to('previous', { _offset: Math.max(0, offset - count) })] : []),
  ];
}
