import { fhirBase } from '#lib/base/fhir-base.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { walk } from '#lib/protocol/fhir/index/path-compile.ts';
import { parseCanonical, parseReference } from '#lib/protocol/fhir/references.ts';
import type { Expr } from '#lib/protocol/fhir/search/ir.ts';
import type { Include, SearchQuery } from '#lib/protocol/fhir/search/parse-search.ts';
import type { Reference, Resource } from '#lib/protocol/fhir/types.ts';
import type { Actor } from '../../access/context.ts';
import { mayReach, reach } from '../../access/policy.ts';
import { PAGE_BYTES } from '../../store/page-weight.ts';
import { type Row, toResource } from '../../store/row.ts';
import { searchRows } from '../../store/search-rows.ts';
import { shown } from '../shown.ts';
import { namedByCanonical, referringTo, type Wanted } from './canonicals.ts';

/** What one page may bring along of one kind. */
const MAX_INCLUDED = 1000;

/** `warnings`: of what there is more than a page brings along. */
export type Included = { rows: Row[]; warnings: string[] };

/** The rows that `_include` and `_revinclude` add to a page: each once, none of the matches, each within the policy of its own type. */
export async function findIncluded(
  actor: Actor,
  query: SearchQuery,
  matches: Row[],
  tx?: Queryable,
): Promise<Included> {
  if (matches.length === 0 || query.include.length + query.revinclude.length === 0) return { rows: [], warnings: [] };
  const targets = referredIds(query.include, matches);
  const found = await Promise.all([
    ...[...targets].map(([type, ids]) => rowsOf(actor, type, { op: 'id', anyOf: [...ids] }, tx)),
    ...namedByCanonical(actor.projectId, query.include, matches).map((wanted) => rowsMeant(actor, wanted, tx)),
    ...query.revinclude.map((include) => rowsMeant(actor, referringTo(actor.projectId, include, matches), tx)),
  ]);
  const seen = new Set(matches.map(nameOf));
  return {
    rows: found.flatMap(({ rows }) => rows).filter((row) => !seen.has(nameOf(row)) && seen.add(nameOf(row))),
    warnings: found.flatMap(({ warnings }) => warnings),
  };
}

function referredIds(includes: Include[], matches: Row[]): Map<string, Set<string>> {
  const ids = new Map<string, Set<string>>();
  if (includes.length === 0) return ids;
  for (const resource of matches.map((row) => toResource(row))) {
    for (const include of includes) addReferred(ids, include, resource);
  }
  return ids;
}

function addReferred(ids: Map<string, Set<string>>, { param, target }: Include, resource: Resource): void {
  for (const branch of param.path) {
    walk(resource, branch, (value) => {
      const parsed = localOf(value);
      if (!parsed || (target !== undefined && target !== parsed.type)) return;
      ids.set(parsed.type, (ids.get(parsed.type) ?? new Set()).add(parsed.id));
    });
  }
}

function localOf(value: unknown): { type: string; id: string } | undefined {
  if (typeof value === 'string') return parseCanonical(value, fhirBase()).local;
  const reference = (value as Reference | undefined)?.reference;
  const parsed = typeof reference === 'string' ? parseReference(reference, fhirBase()) : undefined;
  return parsed?.kind === 'local' ? parsed : undefined;
}

async function rowsMeant(actor: Actor, { type, filter, isMeant }: Wanted, tx?: Queryable): Promise<Included> {
  const { rows, warnings } = await rowsOf(actor, type, filter, tx);
  return { rows: rows.filter(isMeant), warnings };
}

async function rowsOf(actor: Actor, type: string, filter: Expr, tx?: Queryable): Promise<Included> {
  if (!mayReach(actor, type, 'search')) return { rows: [], warnings: [] };
  const query = { type, filter, count: MAX_INCLUDED, offset: 0, sort: [], mostBytes: PAGE_BYTES };
  const { rows, next } = await searchRows(actor.projectId, query, reach(actor, type, 'search'), tx);
  const text = `This page brings along the newest ${rows.length} ${type} resources, and there are more: ask for a smaller page`;
  return { rows: rows.map((row) => shown(actor, row)), warnings: next ? [text] : [] };
}

function nameOf({ type, id }: Row): string {
  return `${type}/${id}`;
}
