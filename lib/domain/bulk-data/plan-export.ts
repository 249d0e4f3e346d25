import { sql } from 'drizzle-orm';
import { pace } from '#lib/base/pace.ts';
import { db } from '#lib/infra/db/client.ts';
import type { BulkExportRow, ExportPiece } from '#lib/infra/db/schema/fhir/bulk-data.ts';
import { and } from '#lib/protocol/fhir/search/ir.ts';
import { typeId, typeName } from '#lib/protocol/fhir/type-ids.ts';
import type { Actor } from '../access/context.ts';
import { mayReach, reach } from '../access/policy.ts';
import { authorOf } from '../sessions/author-of.ts';
import { findIds } from '../store/indexes/find-ids.ts';
import { changedSince } from './changed-since.ts';
import { findExport, isPast, keepPlan, type Planned } from './export-rows.ts';
import { BATCH, pieceFilter } from './piece-filter.ts';

/** Resources of a piece, as far as it is known where it ends. */
const PIECE = 10_000;
/** One request plans for so long, and one step more. */
const WORK_MS = 500;
/** Whoever holds a transaction open for longer holds no export up. */
const MOST_WAIT_MS = 60_000;

/**
 * Plans an export further, for a moment, with the rights that its author has now: into which pieces it falls. Where it was left it goes on, in
 * whatever process. Undefined when it was cancelled meanwhile.
 */
export async function planExport(row: BulkExportRow): Promise<BulkExportRow | undefined> {
  if (row.done) return row;
  const planned = (await isSettled(row)) ? await planFor(row) : row;
  if (await keepPlan(row, planned)) return { ...row, ...planned };
  return findExport(row.projectId, row.id);
}

/** What was changed before the instant of the export is there: changes are dated a moment before they are committed. */
async function isSettled({ asOf, horizon }: BulkExportRow): Promise<boolean> {
  const age = Date.now() - asOf.getTime();
  if (age < pace.exportSettleMs) return false;
  return age > MOST_WAIT_MS || (await isPast(horizon));
}

async function planFor(row: BulkExportRow): Promise<Planned> {
  const author = await authorOf(row);
  const types = row.types ?? (await typesThere(row.projectId, row.asked.types ?? []));
  let planned: Planned = { ...row, types };
  const until = Date.now() + WORK_MS;
  do planned = await takeStep(row, author, planned);
  while (!planned.done && Date.now() < until);
  const { place, pieces, done } = planned;
  return { types, place, pieces, done };
}

/** Those of which the project has anything. */
async function typesThere(projectId: string, types: readonly string[]): Promise<string[]> {
  const numbers = `{${types.map(typeId).join(',')}}`;
  const rows = await db().execute<{ type_id: number }>(sql`
    select t.type_id from unnest(${numbers}::smallint[]) with ordinality as t(type_id, n)
    where exists (select from resource r where r.project_id = ${projectId}::uuid and r.type_id = t.type_id) order by t.n`);
  return rows.map((row) => typeName(row.type_id));
}

async function takeStep(row: BulkExportRow, author: Actor, planned: Planned): Promise<Planned> {
  const { projectId, members, asOf } = row;
  const { types, place, pieces } = planned;
  const type = types?.[place.type];
  if (type === undefined) return { ...planned, done: true };
  const batches = members ? Math.ceil(members.length / BATCH) : 1;
  const next = { type: place.type + 1, batch: 0, after: '' };
  if (batches === 0 || !mayReach(author, type, 'search')) return { ...planned, place: next };
  const within = reach(author, type, 'search');
  const filter = await pieceFilter(row, author, type, place.batch);
  const then = and([within, filter, { op: 'lastUpdated', ranges: [{ to: asOf }] }]);
  const { after } = place;
  const ids = await findIds(projectId, { type, filter: then, after, to: null, most: PIECE });
  const to = ids.length === PIECE ? ids.at(-1)! : null;
  let count = ids.length;
  for await (const _ of changedSince(row, { type, within, filter, after, to })) count += 1;
  const piece: ExportPiece = { type, batch: place.batch, after, to, count: batches === 1 ? count : null };
  const further = place.batch + 1 < batches ? { ...place, batch: place.batch + 1, after: '' } : next;
  return {
    ...planned,
    place: to === null ? further : { ...place, after: to },
    pieces: count > 0 ? [...pieces, piece] : pieces,
  };
}
