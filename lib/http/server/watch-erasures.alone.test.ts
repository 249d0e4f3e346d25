import { expect, onTestFinished, test, vi } from 'vitest';
import { pace } from '#lib/base/pace.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { createWorld } from '#lib/testing/world.ts';
import { startErasures } from './watch-erasures.ts';

test('what is asked for is done by the next process that starts, and what is asked for later, while it runs', async () => {
  const before = pace.erasureWatchMs;
  pace.erasureWatchMs = 20;
  onTestFinished(() => {
    pace.erasureWatchMs = before;
  });
  const world = await createWorld();
  await world.call('POST', '/settings', { body: [{ name: 'recordErasure', valueBoolean: true }] });
  const ask = async () => {
    const made = await callApi(world.owner.bearer, 'POST', '/fhir/R4/Patient', { body: { resourceType: 'Patient' } });
    const { id } = made.body;
    const asked = await world.call('POST', `/patients/${id}/erasure`, { body: { confirm: id, reason: 'Asked for' } });
    return asked.body.id as string;
  };
  const stateOf = async (id: string) => (await world.call('GET', `/erasures/${id}`)).body.state;
  const left = await ask();
  expect(await stateOf(left)).toBe('queued');
  const stop = startErasures();
  onTestFinished(stop);
  await vi.waitFor(async () => expect(await stateOf(left)).toBe('done'), 10_000);
  const later = await ask();
  await vi.waitFor(async () => expect(await stateOf(later)).toBe('done'), 10_000);
});
