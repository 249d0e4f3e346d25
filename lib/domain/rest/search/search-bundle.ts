import type { SearchQuery } from '#lib/protocol/fhir/search/parse-search.ts';
import { fhirBase } from '../fhir-base.ts';

export type BundleEntry = { type: string; id: string; resource: string; mode: 'match' | 'include' };

/** A searchset as JSON text, put together from texts: nothing that is only passed on is parsed. */
export function toSearchBundle(
  query: SearchQuery,
  found: { entries: BundleEntry[]; total: number | undefined; hasMore: boolean },
): string {
  const { entries, total, hasMore } = found;
  const totalText = total === undefined ? '' : `,"total":${total}`;
  const entryText = entries.length === 0 ? '' : `,"entry":[${entries.map(toEntry).join(',')}]`;
  return `{"resourceType":"Bundle","type":"searchset"${totalText},"link":${JSON.stringify(links(query, hasMore))}${entryText}}`;
}

function toEntry({ type, id, resource, mode }: BundleEntry): string {
  return `{"fullUrl":"${fhirBase()}/${type}/${id}","resource":${resource},"search":{"mode":"${mode}"}}`;
}

function links(query: SearchQuery, hasMore: boolean): { relation: string; url: string }[] {
  const { count, offset } = query;
  const self = { relation: 'self', url: urlOf(query, query.self) };
  if (count === 0 || query.summary === 'count') return [self];
  const at = (relation: string, start: number) => ({ relation, url: urlOf(query, pageParams(query, start)) });
  return [
    self,
    at('first', 0),
    ...(hasMore ? [at('next', offset + count)] : []),
    ...(offset > 0 ? [at('previous', Math.max(0, offset - count))] : []),
  ];
}

function pageParams({ self, count }: SearchQuery, start: number): [string, string][] {
  const rest = self.filter(([name]) => name !== '_offset' && name !== '_count');
  return [...rest, ['_count', String(count)], ['_offset', String(start)]];
}

function urlOf({ type }: SearchQuery, params: [string, string][]): string {
  const query = new URLSearchParams(params).toString();
  return `${fhirBase()}/${type}${query ? `?${query}` : ''}`;
}
