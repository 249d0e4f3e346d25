import { MutationObserver, onlineManager } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { isPending } from './pending.ts';
import { makeQueryClient } from './query-client.ts';

const turn = () => new Promise((resolve) => setTimeout(resolve));

afterEach(() => onlineManager.setOnline(true));

test('a mutation is pending until what it made stale has been read again, and says what it is about', async () => {
  const [answer, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const observer = new MutationObserver(makeQueryClient(), {
    mutationFn: (_: { id: string }) => answer.promise,
    onSettled: () => read.promise,
    meta: { about: ({ id }: { id: string }) => [id] },
  });
  const work = observer.mutate({ id: 'feed' });
  expect([isPending(), isPending('feed')]).toEqual([true, true]);
  answer.resolve();
  await turn();
  expect([isPending(), isPending('feed')]).toEqual([true, true]);
  read.resolve();
  await work;
  await turn();
  expect([isPending(), isPending('feed')]).toEqual([false, false]);
});

test('a mutation that fails is pending no longer', async () => {
  const observer = new MutationObserver(makeQueryClient(), {
    mutationFn: () => Promise.reject(new Error('refused')),
  });
  await expect(observer.mutate()).rejects.toThrow('refused');
  await turn();
  expect(isPending()).toBe(false);
});

test('a mutation that waits for the network is pending, and so is one whose page was left', async () => {
  const queries = makeQueryClient();
  queries.mount();
  onlineManager.setOnline(false);
  const observer = new MutationObserver(queries, { mutationFn: async () => undefined });
  const leave = observer.subscribe(() => undefined);
  const work = observer.mutate();
  leave();
  await turn();
  expect(isPending()).toBe(true);
  onlineManager.setOnline(true);
  await work;
  await turn();
  queries.unmount();
  expect(isPending()).toBe(false);
});
