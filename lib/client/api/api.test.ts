import { afterEach, expect, test, vi } from 'vitest';
import { executeBot } from '../bots/execute.ts';
import { api } from './api.ts';
import { isPending } from './pending.ts';

const turn = () => new Promise((resolve) => setTimeout(resolve));

afterEach(() => vi.unstubAllGlobals());

test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)('a %s is pending until it is answered', async (method) => {
  const { answer } = holdAnswers();
  const work = api('/x', { method });
  expect(isPending()).toBe(true);
  await turn();
  expect(isPending()).toBe(true);
  answer(new Response(null, { status: 204 }));
  await work;
  await turn();
  expect(isPending()).toBe(false);
});

test('a refused write is pending no longer, nor one without an answer, nor one that was given up', async () => {
  const refused = holdAnswers();
  const first = api('/x', { method: 'POST' });
  refused.answer(new Response('{}', { status: 409 }));
  await expect(first).rejects.toMatchObject({ status: 409 });
  const lost = holdAnswers();
  const second = api('/x', { method: 'POST' });
  lost.fail(new TypeError('Failed to fetch'));
  await expect(second).rejects.toMatchObject({ status: 0 });
  const stop = new AbortController();
  const left = holdAnswers();
  const third = api('/x', { method: 'POST', signal: stop.signal });
  stop.abort();
  left.fail(stop.signal.reason);
  await expect(third).rejects.toBe(stop.signal.reason);
  await turn();
  expect(isPending()).toBe(false);
});

test('a run of a bot is pending until the bot has answered; reads never are', async () => {
  const { answer } = holdAnswers();
  const run = executeBot('b', { kind: 'text', text: 'Hello' });
  expect(isPending()).toBe(true);
  answer(new Response('Hello'));
  await run;
  await turn();
  const reads = holdAnswers();
  const work = Promise.all([api('/x'), executeBot('b', { kind: 'query', text: 'days=7' })]);
  expect(isPending()).toBe(false);
  reads.answer(new Response('{}'));
  await work;
});

/** The network, as far as these tests go: every request waits for this one answer. */
function holdAnswers() {
  const { promise, resolve: answer, reject: fail } = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', async () => (await promise).clone());
  return { answer, fail };
}
