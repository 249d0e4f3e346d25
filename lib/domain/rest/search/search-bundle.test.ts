import { expect, test } from 'vitest';
import { parseSearch } from '#lib/protocol/fhir/search/parse-search.ts';
import { toSearchBundle } from './search-bundle.ts';

const page = Array.from({ length: 1000 }, (_, at) => {
  return { type: 'Patient', id: `p${at}`, resource: '{}', mode: 'match' as const };
});

test('every next link can be followed: past the last offset it is a cursor', () => {
  const next = (offset: string) => {
    const query = parseSearch(
      'Patient',
      [
        ['_count', '1000'],
        ['_offset', offset],
      ],
      'p',
    );
    const bundle = JSON.parse(toSearchBundle(query, { entries: page, total: undefined, next: 'place', warnings: [] }));
    return new URL(bundle.link.find(({ relation }: { relation: string }) => relation === 'next').url).search;
  };
  expect([next('9000'), next('9001'), next('10000')]).toEqual([
    '?_count=1000&_offset=10000',
    '?_count=1000&_cursor=place',
    '?_count=1000&_cursor=place',
  ]);
});

test('a page that ended early goes on after its last match', () => {
  const query = parseSearch(
    'Patient',
    [
      ['_count', '1000'],
      ['_offset', '0'],
    ],
    'p',
  );
  const included = { ...page[0]!, mode: 'include' as const };
  const found = { entries: [...page.slice(0, 7), included], total: undefined, next: 'place', warnings: [] };
  const { link } = JSON.parse(toSearchBundle(query, found));
  expect(link.find(({ relation }: { relation: string }) => relation === 'next').url).toContain('_offset=7');
});
