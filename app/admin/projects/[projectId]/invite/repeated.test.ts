import { describe, expect, test } from 'vitest';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { countOf, invite, keysOf, linksOf } from '#lib/testing/invites.ts';
import { createWorld, invitation } from '#lib/testing/world.ts';

describe('Idempotency-Key', () => {
  test('the same request again gives the stored answer and does nothing', async () => {
    const world = await createWorld();
    const body = invitation({ sendEmail: false, returnLink: true });
    const send = () => world.call('POST', '/invite', { body, headers: { 'idempotency-key': 'k1' } });
    const [one, two] = [await send(), await send()];
    expect([two.status, two.text]).toEqual([200, one.text]);
    expect(two.headers.get('idempotent-replayed')).toBe('true');
    expect(two.headers.get('x-invite-status')).toBe('created');
    expect(await linksOf(one.body.id)).toHaveLength(1);
  });

  test('another body under the same key: 422; another caller does not see it', async () => {
    const [world, other] = [await createWorld(), await createWorld()];
    const headers = { 'idempotency-key': 'k2' };
    expect((await invite(world, {}, headers)).status).toBe(200);
    expectOutcome(await invite(world, {}, headers), 422);
    expect((await invite(other, {}, headers)).status).toBe(200);
  });

  test('a failed request may be repeated under its key', async () => {
    const world = await createWorld();
    const headers = { 'idempotency-key': 'k3' };
    expectOutcome(await invite(world, { email: world.owner.email }, headers), 409);
    expect((await invite(world, {}, headers)).status).toBe(200);
  });

  test('ten at once: one is done, all get its answer', async () => {
    const world = await createWorld();
    const body = invitation();
    const send = () => world.call('POST', '/invite', { body, headers: { 'idempotency-key': 'k4' } });
    const answers = await Promise.all(Array.from({ length: 10 }, send));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
  });

  test('a key that is no key: 400', async () => {
    const world = await createWorld();
    expectOutcome(await invite(world, {}, { 'idempotency-key': 'a b' }), 400, 'Idempotency-Key');
  });
});

describe('races', () => {
  test('the same invite 50 times at once: one 200, 49 times 409, one of everything', async () => {
    const world = await createWorld();
    const body = invitation({ resourceType: 'Patient' });
    const answers = await Promise.all(Array.from({ length: 50 }, () => world.call('POST', '/invite', { body })));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(49).fill(409)]);
    expect(await countOf(world.projectId, 'Patient')).toBe(1);
    expect(await countOf(world.projectId, 'User')).toBe(1);
  });

  test('50 different invites at once: all 200', async () => {
    const world = await createWorld();
    const answers = await Promise.all(Array.from({ length: 50 }, () => invite(world)));
    expect(answers.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([]);
    expect(await keysOf(world.projectId)).toHaveLength(52);
  });

  test('an invite and the removal of the same person at once never leave a membership without its User', async () => {
    const world = await createWorld();
    for (const _ of Array(8).keys()) {
      const body = invitation({ resourceType: 'Patient', sendEmail: false });
      const first = await world.invite(body);
      const [removed, again] = await Promise.all([
        world.call('DELETE', `/members/${first.id}`),
        world.call('POST', '/invite', { body }),
      ]);
      expect(removed.status).toBe(200);
      expect([200, 409]).toContain(again.status);
      if (again.status !== 200) continue;
      const [type, id] = again.body.user.reference.split('/');
      expect((await callApi(world.owner.bearer, 'GET', `/fhir/R4/${type}/${id}`)).status).toBe(200);
    }
  });
});
