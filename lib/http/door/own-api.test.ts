import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorld } from '#lib/testing/world.ts';
import { makeFastLane } from '../server/fast-lane.ts';
import { askOwnApi } from './own-api.ts';

await makeFastLane(join(import.meta.dirname, '../../../app'), () => undefined);

test('a page is answered by the process that it is in, where nothing listens', async () => {
  const { owner, projectId } = await createWorld();
  const answer = await askOwnApi('/auth/me', { headers: { authorization: owner.bearer } }, new Headers());
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ project: { id: projectId } });
  expect((await askOwnApi('/auth/me', {}, new Headers())).status).toBe(401);
  expect((await askOwnApi('/auth/me', { method: 'PUT' }, new Headers())).status).toBe(405);
  expect((await askOwnApi('/auth/nothing', {}, new Headers())).status).toBe(404);
});

test('as its reader, from where they are', async () => {
  const from = (remote: string) => askOwnApi('/metrics', {}, new Headers({ 'x-gatehouse-remote': remote }));
  expect((await from('127.0.0.1')).status).toBe(200);
  expect((await from('192.0.2.7')).status).toBe(404);
});
