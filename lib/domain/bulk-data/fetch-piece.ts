import { sql } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import type { BulkExportRow, ExportPiece } from '#lib/infra/db/schema/fhir/bulk-data.ts';
import { extract } from '#lib/protocol/fhir/index/extract.ts';
import { searchParam } from '#lib/protocol/fhir/index/search-params.ts';
import { and } from '#lib/protocol/fhir/search/ir.ts';
import type { Actor, Ctx } from '../access/context.ts';
import { mayReach, reach } from '../access/policy.ts';
import { noteRead } from '../audit/note-read.ts';
import { write } from '../audit/write.ts';
import { requirePlace } from '../bounds/within-bounds.ts';
import { throttle } from '../limits/throttle.ts';
import { toSubset } from '../rest/search/subset.ts';
import { shownAll } from '../rest/shown.ts';
import { authorOf } from '../sessions/author-of.ts';
import { type Row, toResource, toWire } from '../store/row.ts';
import { searchRows } from '../store/search-rows.ts';
import { changedSince } from './changed-since.ts';
import { findExport } from './export-rows.ts';
import { BATCH, compartmentsOf, pieceFilter } from './piece-filter.ts';
import { isSound, type PieceLink } from './piece-link.ts';

/** In memory at once. */
const PAGE = { rows: 500, bytes: 1024 * 1024 };
const OFTEN = { limit: 10_000, windowSeconds: 3600, refusal: 'Files of this export were fetched too often' };

/**
 * A piece of an export as NDJSON, read from the store while it is sent: what its author may search at that moment, as it was at the instant of the
 * export. That it was taken stands in the audit log first; who only asks for it takes nothing. Throws 404 for a link that is not, or no longer, one of ours.
 */
export async function fetchPiece(
  ctx: Ctx,
  link: PieceLink,
  isOnlyAsked: boolean,
): Promise<AsyncGenerator<string> | undefined> {
  if (!isSound(link)) throw notFound();
  const { projectId, exportId } = link;
  const { row, actor, piece } = await requireOpen(link);
  ctx.actor = actor;
  requirePlace(actor, ctx);
  if (isOnlyAsked) return undefined;
  await throttle(`bulk-piece:${exportId}`, OFTEN.limit, OFTEN);
  await write(ctx, async (w) => {
    const after = { type: piece.type, piece: Number(link.piece) };
    w.audit({ projectId, action: 'export.fetch', target: `Export/${exportId}`, after });
  });
  return linesOf(ctx, link, row);
}

type Open = { row: BulkExportRow; actor: Actor; piece: ExportPiece };

async function requireOpen({ projectId, exportId, piece: at }: PieceLink): Promise<Open> {
  const row = await findExport(projectId, exportId);
  const piece = row?.done ? row.pieces[Number(at)] : undefined;
  if (!row || !piece) throw notFound();
  const actor = await authorOf(row);
  if (!mayReach(actor, piece.type, 'search')) throw notFound();
  return { row, actor, piece };
}

/** Whose rights end, and who is not to have it any more, is looked at again with each page. */
async function* linesOf(ctx: Ctx, link: PieceLink, { asked }: BulkExportRow): AsyncGenerator<string> {
  const sent = new Set<string>();
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const { row, actor, piece } = await requireOpen(link);
    const { type } = piece;
    const filter = and([
      await pieceFilter(row, actor, type, piece.batch),
      { op: 'lastUpdated', ranges: [{ to: row.asOf }] },
    ]);
    const found = await searchRows(
      row.projectId,
      {
        ...{ type, filter, count: PAGE.rows, mostBytes: PAGE.bytes, offset: 0 },
        sort: [{ param: searchParam(type, '_id')!, descending: false }],
        ...(cursor === undefined ? { after: { values: [piece.after], id: piece.after } } : { cursor }),
        ...(piece.to !== null && { also: sql`r.id <= ${piece.to}` }),
      },
      reach(actor, type, 'search'),
    );
    for (const { id } of found.rows) sent.add(id);
    const lines = await toLines(ctx, { row, actor, piece }, found.rows, asked.elements);
    if (lines !== '') yield lines;
    cursor = found.next;
  }
  const { row, actor, piece } = await requireOpen(link);
  const { type, after, to, batch } = piece;
  const within = reach(actor, type, 'search');
  for await (const changed of changedSince(row, {
    type,
    within,
    filter: await pieceFilter(row, actor, type, batch),
    after,
    to,
  })) {
    if (sent.has(changed.id)) continue;
    const lines = await toLines(ctx, { row, actor, piece }, [changed], asked.elements);
    if (lines !== '') yield lines;
  }
}

/** As the lines of a file. */
async function toLines(
  ctx: Ctx,
  { row, actor, piece }: Open,
  found: Row[],
  elements: readonly string[],
): Promise<string> {
  const earlier = tokensOfEarlier(row, piece);
  const rows = earlier.size === 0 ? found : found.filter((each) => !isInOne(each, earlier));
  if (rows.length === 0) return '';
  noteRead(
    { ...ctx, actor },
    piece.type,
    undefined,
    rows.map(({ id }) => id),
  );
  const wanted = elementsOf(piece.type, elements);
  const write = (each: Row) => {
    const text = toWire(each, false);
    return wanted.length === 0 ? text : toSubset(piece.type, text, { elements: wanted });
  };
  const seen = await shownAll(actor, rows);
  return seen.map((each) => `${write(each)}\n`).join('');
}

/** What names a type is about that type alone. */
function elementsOf(type: string, elements: readonly string[]): string[] {
  return elements.filter((name) => !name.includes('.') || name.startsWith(`${type}.`));
}

/** Of patients whose files come before: what is in the compartments of several is in the first of them. */
function tokensOfEarlier({ projectId, members }: BulkExportRow, { type, batch }: ExportPiece): Set<bigint> {
  if (!members || batch === 0) return new Set();
  return new Set(compartmentsOf(projectId, type, members.slice(0, batch * BATCH)));
}

function isInOne(row: Row, tokens: ReadonlySet<bigint>): boolean {
  return extract(row.projectId, toResource(row), fhirBase()).tokens.some((token) => tokens.has(token));
}
