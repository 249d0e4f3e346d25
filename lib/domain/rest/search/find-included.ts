import { fhirBase } from '#lib/base/fhir-base.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { walk } from '#lib/protocol/fhir/index/path-compile.ts';
import { isCanonical } from '#lib/protocol/fhir/index/reference-tokens.ts';
import { parseCanonical, parseReference } from '#lib/protocol/fhir/references.ts';
import { mayReferTo } from '#lib/protocol/fhir/search/controls.ts';
import type { Expr } from '#lib/protocol/fhir/search/ir.ts';
import type { Include, SearchQuery } from '#lib/protocol/fhir/search/parse-search.ts';
import type { Reference, Resource } from '#lib/protocol/fhir/types.ts';
import type { Actor } from '../../access/context.ts';
import { hasFields } from '../../access/fields.ts';
import { mayReach, reach } from '../../access/policy.ts';
import { PAGE_BYTES } from '../../store/page-weight.ts';
import { type Row, toResource } from '../../store/row.ts';
import { searchRows } from '../../store/search-rows.ts';
import { shownAll } from '../shown.ts';
import { namedByCanonical, referringTo, type Wanted } from './canonicals.ts';
import { findReferring, hasToken, type Included } from './find-referring.ts';

/** What one page may bring along of one kind. */
const MAX_INCLUDED = 1000;

/** What comes along of what comes along, so often. */
const MAX_ROUNDS = 5;

type Asked = Pick<SearchQuery, 'include' | 'revinclude' | 'revincludeAll'>;

/** The rows that `_include` and `_revinclude` add to a page: each once, none of the matches, each within the policy of its own type. */
export async function findIncluded(
  actor: Actor,
  query: SearchQuery,
  matches: Row[],
  tx?: Queryable,
): Promise<Included> {
  const { include, revinclude } = query;
  const further = {
    include: include.filter(({ iterate }) => iterate),
    revinclude: revinclude.filter(({ iterate }) => iterate),
  };
  const seen = new Set(matches.map(nameOf));
  const rows: Row[] = [];
  const warnings = new Set<string>();
  let asked: Asked = query;
  let fresh = matches;
  for (let round = 0; fresh.length > 0 && !isNothing(asked); round += 1) {
    if (round === MAX_ROUNDS || rows.length >= MAX_INCLUDED) {
      warnings.add(`:iterate ends after ${round} rounds and ${rows.length} resources, and there may be more`);
      break;
    }
    const found = await findOnce(actor, asked, fresh, tx);
    for (const text of found.warnings) warnings.add(text);
    fresh = found.rows.filter((row) => !seen.has(nameOf(row)) && seen.add(nameOf(row)));
    rows.push(...fresh);
    asked = further;
  }
  return { rows, warnings: [...warnings] };
}

function isNothing({ include, revinclude, revincludeAll }: Asked): boolean {
  return include.length + revinclude.length === 0 && !revincludeAll;
}

async function findOnce(
  actor: Actor,
  { include, revinclude, revincludeAll }: Asked,
  rows: Row[],
  tx?: Queryable,
): Promise<Included> {
  const targets = referredIds(include, rows);
  const found = await Promise.all([
    ...[...targets].map(([type, ids]) => rowsOf(actor, type, { op: 'id', anyOf: [...ids] }, tx)),
    ...namedByCanonical(actor.projectId, include, rows).map((wanted) => rowsMeant(actor, wanted, tx)),
    ...referringBy(actor.projectId, revinclude, rows).map((wanted) => rowsMeant(actor, wanted, tx)),
    ...(revincludeAll ? [findReferring(actor, rows, tx)] : []),
  ]);
  return { rows: found.flatMap((one) => one.rows), warnings: found.flatMap(({ warnings }) => warnings) };
}

/** Of one type together, where nothing but tokens is asked. */
function referringBy(projectId: string, includes: Include[], rows: Row[]): Wanted[] {
  const asked = includes.flatMap((include) => {
    const referred = rows.filter(({ type }) => mayReferTo(include, type));
    return referred.length === 0 ? [] : [{ include, wanted: referringTo(projectId, include, referred) }];
  });
  const plain = asked.filter(({ include }) => !isCanonical(include.param));
  const byType = [...Map.groupBy(plain, ({ include }) => include.source)].map(([type, of]): Wanted => {
    const anyOf = of.flatMap(({ wanted }) => (wanted.filter.op === 'token' ? wanted.filter.anyOf : []));
    return { type, filter: { op: 'token', anyOf, selective: true }, isMeant: () => true };
  });
  return [...byType, ...asked.filter((one) => !plain.includes(one)).map(({ wanted }) => wanted)];
}

function referredIds(includes: Include[], matches: Row[]): Map<string, Set<string>> {
  const ids = new Map<string, Set<string>>();
  if (includes.length === 0) return ids;
  for (const resource of matches.map((row) => toResource(row))) {
    for (const include of includes) if (include.source === resource.resourceType) addReferred(ids, include, resource);
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
  // What is hidden of one is no reference of it.
  const refers = (row: Row) => filter.op !== 'token' || !hasFields(actor, type) || hasToken(row, filter.anyOf);
  return { rows: rows.filter((row) => isMeant(row) && refers(row)), warnings };
}

async function rowsOf(actor: Actor, type: string, filter: Expr, tx?: Queryable): Promise<Included> {
  if (!mayReach(actor, type, 'search')) return { rows: [], warnings: [] };
  const query = { type, filter, count: MAX_INCLUDED, offset: 0, sort: [], mostBytes: PAGE_BYTES };
  const { rows, next } = await searchRows(actor.projectId, query, reach(actor, type, 'search'), tx);
  const text = `This page brings along the newest ${rows.length} ${type} resources, and there are more: ask for a smaller page`;
  return { rows: await shownAll(actor, rows, tx), warnings: next ? [text] : [] };
}

function nameOf({ type, id }: Row): string {
  return `${type}/${id}`;
}
