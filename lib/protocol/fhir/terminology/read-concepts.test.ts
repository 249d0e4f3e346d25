import { expect, test } from 'vitest';
import { type Given, readConcepts } from './read-concepts.ts';

const read = (concept: Given[], more = {}) => [...readConcepts({ content: 'complete', concept, ...more })];
const property = (code: string, valueCode: string) => [{ code, valueCode }];

test('concepts come once each, children after their parents, with all that they are', () => {
  const all = read([
    { code: 'a', display: 'Ä  Big', concept: [{ code: 'b', concept: [{ code: 'c' }] }] },
    { code: 'a' },
  ]);
  expect(all.map(({ code, at, ancestors }) => [code, at, ancestors])).toEqual([
    ['a', 0, []],
    ['b', 1, ['a']],
    ['c', 2, ['b', 'a']],
  ]);
  expect(all[0]?.sought).toBe('a a big');
  expect(read([{ code: 'a' }], { content: 'supplement' })).toEqual([]);
});

test('parents are told by properties, too, under the name that the system gives them; a ring ends', () => {
  const up = { property: [{ code: 'isa', uri: 'http://hl7.org/fhir/concept-properties#parent' }] };
  const all = read(
    [
      { code: 'a', property: property('child', 'c') },
      { code: 'b', property: property('isa', 'c') },
      { code: 'c', property: property('isa', 'b') },
      { code: 'd', property: property('isa', 'nowhere') },
    ],
    up,
  );
  const found = Object.fromEntries(all.map(({ code, ancestors }) => [code, ancestors.toSorted()]));
  expect(found).toEqual({ a: [], b: ['a', 'b', 'c'], c: ['a', 'b', 'c'], d: [] });
});

test('a chain of a hundred thousand is refused in no time', () => {
  const chain = Array.from({ length: 100_000 }, (_, at) => ({
    code: `c${at}`,
    property: property('parent', `c${at - 1}`),
  }));
  expect(() => read(chain)).toThrow('too deep');
});

test('a code that no index takes is refused, and not lost', () => {
  expect(() => read([{ code: 'x'.repeat(501) }])).toThrow('500 characters at most');
  expect(read([{ code: 'x'.repeat(500) }])).toHaveLength(1);
});
