import { expect, it } from 'vitest';
import { isReadable } from './is-readable.ts';

const values = (count: number) => JSON.stringify(new Array(count).fill(1));
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

it.each<[Parameters<typeof isReadable>[0], string]>([
  ['call', '["Patient",{"a":[1,2]}]'],
  ['binary', JSON.stringify({ resourceType: 'Binary', data: 'eA'.repeat(1_000_000) })],
  ['outcome', '{"resourceType":"OperationOutcome","issue":[{"severity":"error","code":"invalid"}]}'],
  ['number', '1.5'],
  ['boolean', 'true'],
  // It is answered as it is, and not read.
  ['json', values(500_000)],
])('%s is short to read', (kind, text) => expect(isReadable(kind, text)).toBe(true));

it.each<[Parameters<typeof isReadable>[0], string, string]>([
  ['call', 'of half a million values', values(500_000)],
  ['call', 'of a thousand levels', deep(1000)],
  ['binary', 'of half a million values', values(500_000)],
  ['binary', 'that is no object', '1'],
  ['outcome', 'with an issue of nothing', '{"resourceType":"OperationOutcome","issue":[null]}'],
  ['outcome', 'that is no JSON', '{'],
  ['number', 'that is none', 'NaN'],
  ['boolean', 'that is none', 'yes'],
])('but not a %s %s', (kind, _, text) => expect(isReadable(kind, text)).toBe(false));
