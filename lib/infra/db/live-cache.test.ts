import { afterAll, beforeAll, expect, test } from 'vitest';
import { startInvalidation, stopInvalidation } from './invalidation.ts';
import { createLiveCache } from './live-cache.ts';

beforeAll(startInvalidation);
afterAll(stopInvalidation);

const load = (value: string) => async () => ({ value, tags: [`tag of ${value[0]}`] as [string] });

test('what is kept has no more of its size than it may: what was used longest ago goes, and what is too large is not kept', async () => {
  const cache = createLiveCache<string>(100, { most: 10, sizeOf: ({ length }) => length });
  const kept = () => ['a', 'b', 'c', 'd'].filter((id) => cache.peek(id) !== undefined);
  for (const id of ['a', 'b', 'c']) expect(await cache.get(id, load(id.repeat(3)))).toBe(id.repeat(3));
  expect(kept()).toEqual(['a', 'b', 'c']);
  await cache.get('a', load('never asked'));
  await cache.get('d', load('ddddd'));
  expect(kept()).toEqual(['a', 'd']);
  expect(await cache.get('b', load('b'.repeat(11)))).toHaveLength(11);
  expect(kept()).toEqual(['a', 'd']);
});
