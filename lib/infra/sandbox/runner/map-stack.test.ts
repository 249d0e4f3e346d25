import { expect, test } from 'vitest';
import { SANDBOX_LIMITS } from '../host/limits.ts';
import { createStackMap } from './map-stack.ts';

const mapOf = (source: string) =>
  JSON.stringify({ version: 3, sources: [`bot:${source}`], names: [], mappings: 'AAAA;AACA;AACA' });

test('names the line of the source', () => {
  expect(createStackMap(mapOf('index.ts')).ofFailure('Error: x\n    at bot.js:2:1')).toBe(
    'Error: x\n    at index.ts:2:1',
  );
});

test('is as long as it may be, however long the name of a file is', () => {
  const long = createStackMap(mapOf(`${'a'.repeat(1000)}.ts`)).ofFailure('bot.js:1:1 '.repeat(1480));
  expect(long).toHaveLength(SANDBOX_LIMITS.stackCharacters);
});

test.each(['', '{', '{}', 'null', '{"version":3,"sources":[],"mappings":"AAAA"}'])(
  'is left as it is by a map that cannot be read: %s',
  (map) => {
    expect(createStackMap(map).ofFailure('at bot.js:1:1')).toBe('at bot.js:1:1');
  },
);

test('a line of the log has its stacks in lines of the source, and all else as it was', () => {
  const { ofLog } = createStackMap(mapOf('index.ts'));
  const stack =
    'Error: x bot.js:2:1\n    at handler (bot.js:2:1)\n    at async run (sandbox.js:1:2)\nand sandbox.js: more';
  expect(ofLog(stack)).toBe('Error: x bot.js:2:1\n    at handler (index.ts:2:1)\nand sandbox.js: more');
  const many = Array.from({ length: 500 }, (_, at) => `line ${at} of bot.js:1:1`).join('\n');
  expect(ofLog(many)).toBe(many);
});
