import { fhirBase } from '#lib/base/fhir-base.ts';
import type { SearchQuery } from '#lib/protocol/fhir/search/parse-search.ts';
import { MAX_OFFSET } from '#lib/protocol/max-offset.ts';

export type BundleEntry = { type: string; id: string; resource: string; mode: 'match' | 'include' };

export type Found = {
  entries: BundleEntry[];
  total: number | undefined;
  /** The cursor of the next page. */
  next: string | undefined;
  /** What the caller is to know about this page, in words. */
  warnings: string[];
};

/** Of a search, what its links tell. `path`: where it is asked, when that is not the type. */
export type Linking = Pick<SearchQuery, 'type' | 'self' | 'count' | 'offset' | 'summary' | 'ignored'> & {
  path?: string;
};

/** A searchset as JSON text, put together from texts: nothing that is only passed on is parsed. */
export function toSearchBundle(query: Linking, { entries, total, next, warnings }: Found): string {
  const totalText = total === undefined ? '' : `,"total":${total}`;
  const parts = entries.map(toEntry);
  const matches = entries.filter(({ mode }) => mode === 'match').length;
  const said = [...(query.ignored ?? []).map(toIgnored), ...warnings.map(toWarning)];
  if (said.length > 0) parts.push(toOutcomeEntry(said));
  const entryText = parts.length === 0 ? '' : `,"entry":[${parts.join(',')}]`;
  return `{"resourceType":"Bundle","type":"searchset"${totalText},"link":${JSON.stringify(links(query, matches, next))}${entryText}}`;
}

/** An entry of it, as JSON text. */
export function toEntry({ type, id, resource, mode }: BundleEntry): string {
  return `{"fullUrl":"${fhirBase()}/${type}/${id}","resource":${resource},"search":{"mode":"${mode}"}}`;
}

/** R4 search §3.1.1.4: what there is to say about the search itself stands among the results. */
function toOutcomeEntry(issue: object[]): string {
  return JSON.stringify({ resource: { resourceType: 'OperationOutcome', issue }, search: { mode: 'outcome' } });
}

function toWarning(text: string): object {
  return { severity: 'warning', code: 'too-costly', details: { text } };
}

/** What a lenient search has passed over; the self link is without it. */
function toIgnored(name: string): object {
  const known = name.slice(0, 80);
  const text = `Search parameter ${known} is unknown or not supported here, and was ignored`;
  return { severity: 'warning', code: 'not-supported', details: { text }, expression: [known] };
}

type Link = { relation: string; url: string };

function links(query: Linking, matches: number, next: string | undefined): Link[] {
  const self = { relation: 'self', url: urlOf(query, query.self) };
  if (query.count === 0 || query.summary === 'count') return [self];
  return [
    self,
    linkTo(query, 'first', []),
    ...(next ? [linkTo(query, 'next', nextPage(query, matches, next))] : []),
    ...(query.offset > 0
      ? [linkTo(query, 'previous', [['_offset', String(Math.max(0, query.offset - query.count))]])]
      : []),
  ];
}

/** Who pages by offset goes on so, as far as that goes; a cursor goes on to the end, and is not moved by what others write. */
function nextPage({ self, offset }: Linking, count: number, cursor: string): [string, string][] {
  const isByOffset = self.some(([name]) => name === '_offset') && offset + count <= MAX_OFFSET;
  return isByOffset ? [['_offset', String(offset + count)]] : [['_cursor', cursor]];
}

const PAGING = new Set(['_offset', '_cursor', '_count']);

function linkTo(query: Linking, relation: string, place: [string, string][]): Link {
  const rest = query.self.filter(([name]) => !PAGING.has(name));
  return { relation, url: urlOf(query, [...rest, ['_count', String(query.count)], ...place]) };
}

function urlOf({ type, path = type }: Linking, params: [string, string][]): string {
  const query = new URLSearchParams(params).toString();
  return `${fhirBase()}${path && `/${path}`}${query ? `?${query}` : ''}`;
}
