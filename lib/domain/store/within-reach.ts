import { notFound } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { takeTurns } from '#lib/base/turns.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { type Extracted, extract, NOTHING } from '#lib/protocol/fhir/index/extract.ts';
import { isOfContent } from '#lib/protocol/fhir/index/format.ts';
import { askedParams } from '#lib/protocol/fhir/search/asked-params.ts';
import { type Expr, evaluate, type RowFacts } from '#lib/protocol/fhir/search/ir.ts';
import type { Resource, Stored } from '#lib/protocol/fhir/types.ts';
import { findVersion } from './find-history.ts';
import { relate } from './links/relate.ts';
import { type Row, toColumns, toContent, toResource } from './row.ts';

/** Whether the predicate of a policy holds for a row that has content. A statement where it asks of other resources. */
export async function isWithin(reach: Expr, row: Row, q?: Queryable): Promise<boolean> {
  return (await areWithin(reach, [row], q))[0] === true;
}

/** Of several of one type, in their order. */
export async function areWithin(reach: Expr, rows: readonly Row[], q?: Queryable): Promise<boolean[]> {
  const related = await relate([reach], rows, q);
  const read = readerOf(reach);
  const turn = takeTurns();
  const within: boolean[] = [];
  for (const [at, row] of rows.entries()) {
    const index = read ? read.row(row) : NOTHING;
    const facts = { id: row.id, lastUpdated: row.lastUpdated, related: related[at] };
    within.push(await holds(reach, index, facts, turn));
  }
  return within;
}

/** Of many rules one after the other, between which others are answered: a record may have thousands of what each asks about. */
async function holds(
  reach: Expr,
  ...[index, facts, turn]: [Extracted, RowFacts, ReturnType<typeof takeTurns>]
): Promise<boolean> {
  if (reach.op === 'and') {
    for (const arg of reach.args) if (!(await holds(arg, index, facts, turn))) return false;
    return true;
  }
  if (reach.op !== 'or') return evaluate(reach, index, facts);
  for (const arg of reach.args) {
    const others = turn();
    if (others) await others;
    if (evaluate(arg, index, facts)) return true;
  }
  return false;
}

/** As isWithin, for what is about to be stored. */
export async function isResourceWithin(
  reach: Expr,
  projectId: string,
  resource: Stored<Resource>,
  q?: Queryable,
): Promise<boolean> {
  const { resourceType: type, id } = resource;
  const read = readerOf(reach);
  const content = read ? toColumns(resource).content : null;
  const [related] = await relate([reach], [{ projectId, type, id, content }], q);
  const index = read ? read.resource(projectId, resource) : NOTHING;
  return holds(reach, index, { id, lastUpdated: new Date(), related }, takeTurns());
}

/** The row when it exists and lies within reach, deleted or not; else 404. */
export async function requireWithin(row: Row | undefined, reach: Expr, q?: Queryable): Promise<Row> {
  const judged = row && needsIndex(reach) ? await judgeable(row, q) : row;
  if (!row || !judged || !(await isWithin(reach, judged, q))) throw notFound();
  return row;
}

/** The row that a policy judges: of a deleted one, its last version that had content. */
export async function judgeable(row: Row, q?: Queryable): Promise<Row> {
  if (!row.deleted) return row;
  return (await findVersion(row.projectId, row.type, row.id, row.version - 1, q)) ?? row;
}

/** What reads of a resource as much as the predicate looks at; undefined where it looks at nothing of it. */
function readerOf(reach: Expr): Reader | undefined {
  if (!needsIndex(reach)) return undefined;
  const asked = askedParams(reach);
  const only = asked === 'all' ? undefined : asked;
  const isContentEnough = only !== undefined && [...only].every(isOfContent);
  const resource = (projectId: string, of: Resource) => extract(projectId, of, fhirBase(), only);
  return { resource, row: (row) => resource(row.projectId, isContentEnough ? toContent(row) : toResource(row)) };
}

type Reader = { row(row: Row): Extracted; resource(projectId: string, resource: Resource): Extracted };

function needsIndex(expr: Expr): boolean {
  switch (expr.op) {
    case 'and':
    case 'or':
      return expr.args.some(needsIndex);
    case 'not':
      return needsIndex(expr.arg);
    case 'token':
    case 'string':
    case 'date':
    case 'quantity':
    case 'near':
    case 'words':
    case 'concepts':
    case 'linked':
    case 'related':
    case 'unguarded':
      return true;
    case 'all':
    case 'none':
    case 'id':
    case 'lastUpdated':
      return false;
  }
}
