import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inLane } from './call-lane.ts';

const note = () => {};

test('sixteen at once; what waits is not done when its run is over, and those of others go on', async () => {
  let begun = 0;
  const ends: (() => void)[] = [];
  const call = inLane('project/1', () => {
    begun += 1;
    return new Promise<void>((end) => ends.push(end));
  });
  const over = new AbortController();
  const reason = new Error('The run is over');
  const asked = Array.from({ length: 40 }, () => call('createResource', [], note, over.signal));
  const settled = Promise.allSettled(asked);
  const another = call('createResource', [], note, new AbortController().signal);
  await setImmediate();
  expect(begun).toBe(16);
  over.abort(reason);
  await setImmediate();
  for (const end of ends.splice(0)) end();
  await setImmediate();
  expect(begun, 'one more, which is another run’s').toBe(17);
  for (const end of ends) end();
  await another;
  const results = await settled;
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(16);
  expect(results.filter((result) => result.status === 'rejected' && result.reason === reason)).toHaveLength(24);
});
