import { expect, it } from 'vitest';
import { jsonShape } from './json-shape.ts';

it.each([
  ['1', 0, 1],
  ['[]', 1, 2],
  ['{"a":[1,2,{"b":null}]}', 3, 6],
  ['["[[[{,", "\\"]", "\\\\", "\\\\\\"[["]', 1, 5],
  ['"unended [[', 0, 1],
  ['"', 0, 1],
])('%s', (text, depth, values) => expect(jsonShape(text)).toEqual({ depth, values }));

it('takes one pass, also of backslashes and quotes', () => {
  expect(jsonShape(`["${'\\\\'.repeat(1e6)}","${'\\"'.repeat(1e6)}"]`)).toEqual({ depth: 1, values: 3 });
});
