import { expect, test } from 'vitest';
import { beforeReading, beforeWork, endWork, isOwned, leavePlaces, ownedBy, sentTo } from './large-bodies.ts';

const LARGE = 2 * 1024 * 1024;

function requestOf(project: string): Request {
  const request = new Request('http://localhost/');
  ownedBy(request, project);
  return request;
}

/** Which of them have begun, as soon as everything that can begin has. */
async function begun(
  of: Request[],
  begin: (request: Request, bytes: number) => Promise<void>,
  bytes = LARGE,
): Promise<() => Promise<number[]>> {
  const started = new Set<number>();
  of.forEach((request, at) => {
    void begin(request, bytes).then(() => started.add(at));
  });
  return async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return [...started];
  };
}

test('what is sent to one project by strangers waits behind no other project’s, and not behind what its own members send', async () => {
  const to = (project: string) => {
    const request = new Request('http://localhost/');
    sentTo(request, project);
    return request;
  };
  const requests = [to('x'), to('x'), to('y'), requestOf('x')];
  const now = await begun(requests, beforeWork);
  expect(await now()).toEqual([0, 2]);
  leavePlaces(requests[2]!);
  expect(await now()).toEqual([0, 2, 3]);
  leavePlaces(requests[0]!);
  expect(await now()).toEqual([0, 2, 3, 1]);
  expect(requests.map(isOwned)).toEqual([false, false, false, true]);
  for (const request of requests) leavePlaces(request);
});

test('what waits for others keeps nobody’s work waiting, and stays counted as read', async () => {
  const [first, second] = [requestOf('a'), requestOf('a')];
  const reads = await begun([first, ...Array.from({ length: 8 }, () => requestOf('a'))], beforeReading);
  const now = await begun([first, second], beforeWork);
  expect(await now()).toEqual([0]);
  endWork(first);
  expect(await now()).toEqual([0, 1]);
  expect(await reads()).toHaveLength(8);
  leavePlaces(first);
  expect(await reads()).toHaveLength(9);
  leavePlaces(second);
});

test('of large bodies one of a project is worked on at once, two in all; small ones never wait', async () => {
  const requests = ['a', 'a', 'a', 'b', 'c'].map(requestOf);
  const [a1, a2, a3, b, c] = requests as [Request, Request, Request, Request, Request];
  const now = await begun(requests, beforeWork);
  expect(await now()).toEqual([0, 3]);
  await beforeWork(requestOf('a'), 1000);
  leavePlaces(b);
  expect(await now()).toEqual([0, 3, 4]);
  leavePlaces(a1);
  expect(await now()).toEqual([0, 3, 4, 1]);
  leavePlaces(c);
  expect(await now()).toEqual([0, 3, 4, 1]);
  leavePlaces(a2);
  expect(await now()).toEqual([0, 3, 4, 1, 2]);
  leavePlaces(a3);
  leavePlaces(a3);
  const again = await begun([requestOf('a'), requestOf('b'), requestOf('c')], beforeWork);
  expect(await again()).toEqual([0, 1]);
});

test('of one project eight are read at once, and others go past those that wait', async () => {
  const requests = [...Array.from({ length: 10 }, () => requestOf('many')), requestOf('other')];
  const now = await begun(requests, beforeReading);
  expect(await now()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 10]);
  leavePlaces(requests[3]!);
  expect(await now()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 10, 8]);
});
