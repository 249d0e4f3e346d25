import { expect, test } from 'vitest';
import { eachAlone } from './each-alone.ts';

test('one that fails holds up none behind it; told to stop it begins no other', async () => {
  const done: number[] = [];
  const stopping = new AbortController();
  await eachAlone([1, 2, 3, 4], stopping.signal, 'one was not done', async (one) => {
    if (one === 2) throw new Error('not this one');
    done.push(one);
    if (one === 3) stopping.abort();
  });
  expect(done).toEqual([1, 3]);
});
