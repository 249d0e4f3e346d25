import { expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { db, runText, transaction } from '../client.ts';
import { isForHome } from './at-home.ts';

test.each([
  [
    'with k as (delete from membership_key where project_id = $1 returning 1) insert into member_count (n) select 1 from k',
    true,
  ],
  ['insert into audit_event (project_id, id) select $1::uuid, id from unnest($2::uuid[]) as n(id)', true],
  ['with l as (insert into "login" ("project_id") values ($1)) insert into audit_event (project_id) values ($1)', true],
  ['insert into "mail" ("project_id", "id") values ($1, $2) returning "id"', false],
  ['with r as (update resource set version = 2 where project_id = $1 returning id) select id from r', false],
  ['insert into user_project (user_id, project_id) select u, $1::uuid from unnest($2::uuid[]) as u', false],
])('what inserts rows of a project beside others goes to them: %s', (text, expected) => {
  expect(isForHome(text)).toBe(expected);
});

const COUNT = `
  insert into member_count (project_id, profile_type, active, admin, invite_status, limited, slot, n)
  select $1::uuid, name, true, false, 'none', false, 0, 0 from unnest($2::text[]) as name`;

test('an insert that says nothing of its rows gives none', async () => {
  const projectId = newId();
  expect(await runText(db(), COUNT, [projectId, '{Patient,Practitioner}'])).toEqual([]);
  const counted = 'select profile_type as type from member_count where project_id = $1 order by 1';
  expect(await runText(db(), counted, [projectId])).toEqual([{ type: 'Patient' }, { type: 'Practitioner' }]);
});

/** On one server sent as it is; on a cluster (npm run test:cluster) done at home. */
const ADD = `
  with o as (select n from member_count where project_id = $1::uuid),
  c as (
    insert into member_count as c (project_id, profile_type, active, admin, invite_status, limited, slot, n)
    values ($1::uuid, $2, true, false, 'none', false, 0, $3::int)
    on conflict (project_id, profile_type, active, admin, invite_status, limited, slot) do update set n = c.n + excluded.n returning n)
  select c.n, (select max(n) from o) as before from c where c.n <> 0`;

test('it is done in its transaction, answers its row or none, and works again after one that was rolled back', async () => {
  const projectId = newId();
  const add = (n: number) => transaction((tx) => runText(tx, ADD, [projectId, `it's "one" \\ {and},more`, n]));
  const undone = transaction(async (tx) => {
    await runText(tx, ADD, [projectId, 'Practitioner', 1]);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await add(2)).toEqual([{ n: 2, before: null }]);
  expect(await add(3)).toEqual([{ n: 5, before: 2 }]);
  expect(await add(-5)).toEqual([]);
  expect(await runText(db(), 'select profile_type, n from member_count where project_id = $1', [projectId])).toEqual([
    { profile_type: `it's "one" \\ {and},more`, n: 0 },
  ]);
});
