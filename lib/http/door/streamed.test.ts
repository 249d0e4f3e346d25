import { expect, test } from 'vitest';
import { logOf } from '#lib/testing/log-of.ts';
import { streamed } from './streamed.ts';

test('who goes while a piece is made is no failure, and the pieces end; what fails while somebody waits is one', async () => {
  const made = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  let isEnded = false;
  const said = await logOf(async () => {
    const pieces = {
      next: async () => {
        asked.resolve();
        await made.promise;
        return { done: false, value: 'late' };
      },
      return: async () => {
        isEnded = true;
      },
    };
    const reader = streamed(pieces).getReader();
    const read = reader.read();
    await asked.promise;
    await reader.cancel();
    made.resolve();
    expect(await read).toMatchObject({ done: true });
    await new Promise((done) => setImmediate(done));
  });
  expect([isEnded, said]).toEqual([true, '']);
  const failing = { next: () => Promise.reject(new Error('broken')), return: async () => {} };
  const told = await logOf(() => expect(streamed(failing).getReader().read()).rejects.toThrow('broken'));
  expect(told).toContain('an answer broke off');
});
