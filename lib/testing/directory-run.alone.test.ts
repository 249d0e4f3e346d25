import { beforeAll, expect, test } from 'vitest';
import { startInvalidation, stopInvalidation } from '#lib/infra/db/invalidation.ts';
import { aUser, makeDirectory, patchOp } from './scim.ts';
import { createWorld } from './world.ts';

const PEOPLE = 2000;
/** Half a minute where nobody else is at work; the suite may have company. */
const RUN_MS = 300_000;
/** As a directory's agent sends them: a few at once. */
const AT_ONCE = 4;

beforeAll(async () => {
  await startInvalidation();
  return stopInvalidation;
});

test('two thousand people are looked for, made, changed, listed and put into a group in one run', {
  timeout: RUN_MS,
}, async () => {
  const world = await createWorld();
  const { body: okta } = await world.call('POST', '/scim', { body: { name: 'Okta' } });
  const scim = makeDirectory(`Bearer ${okta.token}`);
  const ids: string[] = [];
  let next = 0;
  const work = async () => {
    for (let at = next++; at < PEOPLE; at = next++) {
      const user = aUser();
      const known = await scim('GET', `/Users?filter=${encodeURIComponent(`userName eq "${user.userName}"`)}`);
      expect(known.body.totalResults).toBe(0);
      const made = await scim('POST', '/Users', user);
      expect(made.status, made.text).toBe(201);
      ids.push(made.body.id);
      if (at % 10 > 0) continue;
      const off = await scim(
        'PATCH',
        `/Users/${made.body.id}`,
        patchOp({ op: 'Replace', path: 'active', value: 'False' }),
      );
      expect(off.body.active).toBe(false);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const listed: string[] = [];
  for (let startIndex = 1; startIndex <= PEOPLE + 1; startIndex += 200) {
    const { body } = await scim('GET', `/Users?startIndex=${startIndex}&count=200`);
    expect(body.totalResults).toBe(PEOPLE + 1);
    listed.push(...body.Resources.map((user: { id: string }) => user.id));
  }
  expect(new Set(listed).size).toBe(PEOPLE + 1);
  expect(ids.every((id) => listed.includes(id))).toBe(true);
  const members = ids.map((value) => ({ value }));
  const group = await scim('POST', '/Groups', { displayName: 'Everybody', members: members.slice(0, 1000) });
  expect(group.body.members).toHaveLength(1000);
  const path = `/scim/${okta.id}/groups/${group.body.id}`;
  expect((await world.call('PUT', path, { body: { admin: true } })).status).toBe(200);
  const more = patchOp({ op: 'add', path: 'members', value: members.slice(1000) });
  expect((await scim('PATCH', `/Groups/${group.body.id}`, more)).status).toBe(204);
  for (const id of [ids[0], ids[999], ids[1000], ids.at(-1)]) {
    expect((await world.call('GET', `/members/${id}`)).body.admin).toBe(true);
  }
});
