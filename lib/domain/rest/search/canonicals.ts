import { fhirBase } from '#lib/base/fhir-base.ts';
import { walk } from '#lib/protocol/fhir/index/path-compile.ts';
import { isCanonical, tokensOfCanonical, tokensReferringTo } from '#lib/protocol/fhir/index/reference-tokens.ts';
import { type SearchParam, searchParam } from '#lib/protocol/fhir/index/search-params.ts';
import { type ParsedCanonical, parseCanonical } from '#lib/protocol/fhir/references.ts';
import type { Expr } from '#lib/protocol/fhir/search/ir.ts';
import type { Include } from '#lib/protocol/fhir/search/parse-search.ts';
import { resourceTypes } from '#lib/protocol/fhir/type-ids.ts';
import type { Reference, Resource } from '#lib/protocol/fhir/types.ts';
import { type Row, toResource } from '../../store/row.ts';

type Published = Resource & { url?: string; version?: string };

/** Rows that a search may find too many of: what the index cannot tell apart, a version, `isMeant` does. */
export type Wanted = { type: string; filter: Expr; isMeant: (row: Row) => boolean };

/** The resources that the matches name by canonical address, by type (R4 references §2.3.0.1). Those named by id are not among them. */
export function namedByCanonical(projectId: string, includes: Include[], matches: Row[]): Wanted[] {
  const names = new Map<string, ParsedCanonical[]>();
  const canonical = includes.filter(({ param }) => isCanonical(param));
  if (canonical.length === 0) return [];
  for (const resource of matches.map((row) => toResource(row))) {
    for (const { param, target } of canonical.filter(({ source }) => source === resource.resourceType)) {
      const found = namesIn(resource, param);
      for (const type of found.length > 0 ? publishedTypes(param, target) : []) {
        names.set(type, [...(names.get(type) ?? []), ...found]);
      }
    }
  }
  return [...names].map(([type, found]) => ({
    type,
    filter: withAddress(projectId, type, found),
    isMeant: (row) => found.some((name) => isNamed(name, toResource<Published>(row))),
  }));
}

/** What refers to one of the matches, as a reference or by its canonical address. */
export function referringTo(projectId: string, { source, param }: Include, matches: Row[]): Wanted {
  const base = fhirBase();
  const byId = matches.flatMap((row) => tokensReferringTo(param, projectId, row, base));
  const published = isCanonical(param) ? matches.map((row) => toResource<Published>(row)).filter(({ url }) => url) : [];
  const byUrl = published.flatMap(({ url = '' }) => tokensOfCanonical(param, projectId, url, base));
  const filter: Expr = { op: 'token', anyOf: [...byId, ...byUrl], selective: true };
  if (published.length === 0) return { type: source, filter, isMeant: () => true };
  const ids = new Set(matches.map(({ type, id }) => `${type}/${id}`));
  const refers = (name: ParsedCanonical) => ids.has(name.url) || published.some((resource) => isNamed(name, resource));
  return { type: source, filter, isMeant: (row) => namesIn(toResource(row), param).some(refers) };
}

function namesIn(resource: Resource, param: SearchParam): ParsedCanonical[] {
  const found: ParsedCanonical[] = [];
  for (const branch of param.path) {
    walk(resource, branch, (value) => {
      const name = typeof value === 'string' ? value : (value as Reference | undefined)?.reference;
      if (name !== undefined) found.push(parseCanonical(name, fhirBase()));
    });
  }
  return found;
}

/** Of the types that the parameter may refer to, those that have a canonical address. */
function publishedTypes({ targets }: SearchParam, target: string | undefined): string[] {
  const types = targets.length > 0 ? targets : resourceTypes();
  return types.filter((type) => (target ?? type) === type && searchParam(type, 'url')?.type === 'uri');
}

function withAddress(projectId: string, type: string, names: ParsedCanonical[]): Expr {
  const param = searchParam(type, 'url')!;
  const urls = new Set(names.map(({ url, local }) => (local ? `${fhirBase()}/${url}` : url)));
  const anyOf = [...urls].flatMap((url) => tokensOfCanonical(param, projectId, url, undefined));
  return { op: 'token', anyOf, selective: true };
}

/** Without a version, every version is meant: which of them is the newest, only their author knows. */
function isNamed({ url, version }: ParsedCanonical, resource: Published): boolean {
  if (resource.url === undefined || (version !== undefined && version !== resource.version)) return false;
  return parseCanonical(resource.url, fhirBase()).url === url;
}
