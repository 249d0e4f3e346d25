import { expect, test } from 'vitest';
import { beforeShards, onShards } from './on-shards.ts';

const SHARDS = {
  group: 2,
  of: new Map([
    ['resource', '102016'],
    ['login', '102100'],
    ['membership_key', '102200'],
  ]),
};
const GUARD = ') as q offset (select 1 / count(*) - 1 from pg_dist_placement where shardid = 102016 and groupid = 2)';

test.each([
  [
    'select id from resource where project_id = $1',
    'select id from resource_102016 as "resource" where project_id = $1',
  ],
  [
    'select "id" from "login" where "login"."project_id" = $1',
    'select "id" from login_102100 as "login" where "login"."project_id" = $1',
  ],
  [
    'select r.id as login from resource r join membership_key as k on k.project_id = $1 where r.project_id = $1',
    'select r.id as login from resource_102016 r join membership_key_102200 as k on k.project_id = $1 where r.project_id = $1',
  ],
  [
    'with l as (select * from login) select (select count(*) from resource) from l',
    'with l as (select * from login_102100 as "login") select (select count(*) from resource_102016 as "resource") from l',
  ],
  [
    'select id from resource\n order by id limit 3',
    'select id from resource_102016 as "resource"\n order by id limit 3',
  ],
])('a statement is sent on the shards of its project: %s', (text, expected) => {
  const sent = onShards(text, SHARDS);
  expect(sent).toBe(`select * from (${expected}${GUARD}`);
  expect(beforeShards(sent!)).toBe(text);
});

test.each([
  ['of a list, whose names are not all read', 'select 1 from resource r, login l where r.project_id = $1'],
  ['of a table that it has no shard of', 'select 1 from consent where project_id = $1'],
  ['of none', 'select $1::uuid as project_id'],
])('as it is: a statement %s', (_what, text) => {
  expect(onShards(text, SHARDS)).toBeUndefined();
});
