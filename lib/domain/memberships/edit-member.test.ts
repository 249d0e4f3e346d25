import { expect, test } from 'vitest';
import { watchStatements } from '#lib/infra/db/client.ts';
import { createWorld } from '#lib/testing/world.ts';

type Change = { op: string; path: string; value?: unknown };

test('only a change of role takes the lock of all administrators, only what a session shows is told to all processes', async () => {
  const world = await createWorld();
  const { id } = await world.invite();
  const patch = async (...changes: Change[]) => {
    const texts: string[] = [];
    const stop = watchStatements((text) => texts.push(text));
    const { status, text } = await world.call('PATCH', `/members/${id}`, { body: changes });
    stop();
    expect(status, text).toBe(200);
    return {
      begun: texts.filter((sql) => sql.startsWith('begin')).length,
      locks: texts.some((sql) => sql.includes('pg_advisory_xact_lock')),
      tells: texts.some((sql) => sql.includes('pg_notify')),
    };
  };
  const userName = { op: 'add', path: '/userName', value: 'ann' };
  expect(await patch(userName)).toEqual({ begun: 1, locks: false, tells: false });
  const none = { op: 'remove', path: '/accessPolicy' };
  expect(await patch(none)).toEqual({ begun: 1, locks: false, tells: true });
  expect(await patch({ op: 'add', path: '/admin', value: true })).toEqual({ begun: 1, locks: true, tells: true });
  // Where the path does not say so.
  const { body } = await world.call('GET', `/members/${id}`);
  const texts: string[] = [];
  const stop = watchStatements((text) => texts.push(text));
  const put = await world.call('POST', `/members/${id}`, { body: { ...body, admin: false } });
  stop();
  expect(put.body.admin, put.text).toBe(false);
  expect(texts.filter((sql) => sql.startsWith('begin'))).toHaveLength(2);
});
