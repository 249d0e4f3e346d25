import { beforeEach, expect, test, vi } from 'vitest';
import { Later } from '#lib/infra/jobs/put-off.ts';
import { createWorld, type World } from '#lib/testing/world.ts';
import { keepWithinQuota, requireQuota } from './keep-within-quota.ts';

let world: World;

beforeEach(async () => {
  world = await createWorld();
});

async function setQuota(valueInteger: number): Promise<void> {
  const answer = await world.call('POST', '/settings', { body: [{ name: 'botEventsPerHour', valueInteger }] });
  expect(answer.status, answer.text).toBe(200);
}

/** How many of so many that come at the same moment may run now. */
async function grantedOf(count: number, keep = keepWithinQuota): Promise<number> {
  const all = await Promise.allSettled(Array.from({ length: count }, () => keep(world.projectId, 1)));
  for (const one of all) if (one.status === 'rejected') expect((one.reason as Error).message).toBe('later');
  return all.filter(({ status }) => status === 'fulfilled').length;
}

/** As a process that has just begun: with nothing in its memory. */
async function ofAnotherProcess() {
  vi.resetModules();
  return (await import('./keep-within-quota.ts')).keepWithinQuota;
}

test('of events that come at the same moment as many run as the quota says, and what is over waits for the next hour', async () => {
  await setQuota(5);
  expect(await grantedOf(12)).toBe(5);
  const error = await keepWithinQuota(world.projectId, 1).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Later);
  const { until } = error as Later;
  expect(until.getTime() % 3_600_000).toBe(0);
  expect(until.getTime()).toBeGreaterThan(Date.now());
});

test('what waits for the next hour is known before it is looked at, and looking counts nothing', async () => {
  await setQuota(2);
  await requireQuota(world.projectId, 1);
  expect(await grantedOf(3)).toBe(2);
  await expect(requireQuota(world.projectId, 1)).rejects.toBeInstanceOf(Later);
  await requireQuota(world.projectId, 2);
  await setQuota(10);
  await requireQuota(world.projectId, 1);
  expect(await grantedOf(1)).toBe(1);
});

test('another attempt at the same event is not counted', async () => {
  await setQuota(1);
  expect(await grantedOf(1)).toBe(1);
  await expect(keepWithinQuota(world.projectId, 2)).resolves.toBeUndefined();
});

test('what was counted is known to other processes, and after a restart', async () => {
  await setQuota(4);
  expect(await grantedOf(3)).toBe(3);
  const other = await ofAnotherProcess();
  expect(await grantedOf(3, other)).toBe(1);
  expect(await grantedOf(1)).toBe(0);
  expect(await grantedOf(1, await ofAnotherProcess())).toBe(0);
});

test('a large quota is taken in shares, none of them past it', async () => {
  await setQuota(2500);
  expect(await grantedOf(2000)).toBe(2000);
  expect(await grantedOf(1000)).toBe(500);
});

test('who raises the quota has more of the same hour', async () => {
  await setQuota(2);
  expect(await grantedOf(3)).toBe(2);
  await setQuota(10);
  await expect.poll(() => grantedOf(1)).toBe(1);
});
