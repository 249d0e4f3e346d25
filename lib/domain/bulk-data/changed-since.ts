import type { BulkExportRow } from '#lib/infra/db/schema/fhir/bulk-data.ts';
import { and, type Expr } from '#lib/protocol/fhir/search/ir.ts';
import { versionsAsOf } from '../sight/as-of/versions-as-of.ts';
import { findIds, type IdRange } from '../store/indexes/find-ids.ts';
import type { Row } from '../store/row.ts';
import { areWithin } from '../store/within-reach.ts';

/** Whole versions that are in memory at once. */
const AT_ONCE = 20;
const IDS = 500;

type Asked = { within: Expr; filter: Expr } & Omit<IdRange, 'filter' | 'most'>;

/**
 * Of resources that were changed after the instant of an export, what they were then, if that is asked for: as far as the caller may see
 * both that and what they are now. Those that were deleted or erased meanwhile are not handed out any more.
 */
export async function* changedSince(
  { projectId, asOf }: Pick<BulkExportRow, 'projectId' | 'asOf'>,
  { type, within, filter, after, to }: Asked,
): AsyncGenerator<Row> {
  const later: Expr = { op: 'lastUpdated', ranges: [{ from: new Date(asOf.getTime() + 1) }] };
  const wanted = and([within, filter]);
  for (let from = after; ; ) {
    const ids = await findIds(projectId, { type, filter: and([within, later]), after: from, to, most: IDS });
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      const found = await versionsAsOf(projectId, type, ids.slice(at, at + AT_ONCE), asOf);
      const rows = found.flatMap(({ state, row }) => (state === 'present' && row ? [row] : []));
      const within = await areWithin(wanted, rows);
      yield* rows.filter((_, n) => within[n]);
    }
    const last = ids.at(-1);
    if (last === undefined || ids.length < IDS) return;
    from = last;
  }
}
