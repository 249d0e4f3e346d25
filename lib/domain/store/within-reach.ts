import { notFound } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { extract, NOTHING } from '#lib/protocol/fhir/index/extract.ts';
import { type Expr, evaluate } from '#lib/protocol/fhir/search/ir.ts';
import type { Resource, Stored } from '#lib/protocol/fhir/types.ts';
import { findVersion } from './find-history.ts';
import { type Row, toResource } from './row.ts';

/** Whether the predicate of a policy holds for a row that has content. */
export function isWithin(reach: Expr, row: Row): boolean {
  const index = needsIndex(reach) ? extract(row.projectId, toResource(row), fhirBase()) : NOTHING;
  return evaluate(reach, index, row);
}

/** As isWithin, for what is about to be stored. */
export function isResourceWithin(reach: Expr, projectId: string, resource: Stored<Resource>): boolean {
  const index = needsIndex(reach) ? extract(projectId, resource, fhirBase()) : NOTHING;
  return evaluate(reach, index, { id: resource.id, lastUpdated: new Date() });
}

/** The row when it exists and lies within reach, deleted or not; else 404. */
export async function requireWithin(row: Row | undefined, reach: Expr, q?: Queryable): Promise<Row> {
  const judged = row && needsIndex(reach) ? await judgeable(row, q) : row;
  if (!row || !judged || !isWithin(reach, judged)) throw notFound();
  return row;
}

/** The row that a policy judges: of a deleted one, its last version that had content. */
export async function judgeable(row: Row, q?: Queryable): Promise<Row> {
  if (!row.deleted) return row;
  return (await findVersion(row.projectId, row.type, row.id, row.version - 1, q)) ?? row;
}

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
    case 'unguarded':
      return true;
    case 'all':
    case 'none':
    case 'id':
    case 'lastUpdated':
      return false;
  }
}
