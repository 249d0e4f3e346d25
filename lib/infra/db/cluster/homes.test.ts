import { expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { db, runText } from '../client.ts';
import { projectParameter } from './homes.ts';

test.each([
  ['select content from resource where project_id = $1 and type_id = 3 and id = $2', 1],
  ['select pg_column_size(r.content) from resource r where r.project_id = $1', 1],
  ['with k as (select 1 from membership_key k where k.user_ref = $1 and k.project_id=$2) select * from k', 2],
  ['select "id" from "login" where ("login"."id" = $1 and "login"."project_id" = $2)', 2],
  ['select r.id from resource r where r.project_id = any($4::uuid[]) and not r.deleted', 4],
  // What changes something, or locks it, belongs to who commits it.
  ['insert into login (project_id) values ($1)', 0],
  ['with d as (delete from login where project_id = $1 returning id) select id from d', 0],
  ['select id from resource where project_id = $1 for update', 0],
  ['select id from resource where project_id = $1 for no key update skip locked', 0],
  ['select id from resource where project_id = $1 for share', 0],
  ['select pg_advisory_xact_lock(n) from resource where project_id = $1', 0],
  // What the coordinator keeps to itself is not on the nodes.
  ['select c.id from client_secret c, resource r where r.project_id = $1', 0],
  ['select project_id from user_project where user_id = $1', 0],
  ['select project_id from membership_key where user_ref = $1', 0],
])('the project of a statement that reads is known by its parameter: %s', (text, expected) => {
  expect(projectParameter(text)).toBe(expected);
});

test('a text that nobody of ours writes is not read through', () => {
  expect(projectParameter(`select 1 where project_id = $1 ${' '.repeat(20_000)}`)).toBe(0);
});

/** On one server there is one node; on a cluster (npm run test:cluster) what reads a project is answered by that which has it. */
test('what is asked of a project is answered where it lies, whatever its parameters and rows are', async () => {
  const projectId = newId();
  const add = `insert into member_count (project_id, profile_type, active, admin, invite_status, limited, slot, n)
    values ($1, 'Patient', true, false, 'none', false, 0, 0)`;
  await runText(db(), add, [projectId]);
  const placed = `select nodeport as placed from pg_dist_shard_placement
    where shardid = get_shard_id_for_distribution_column('member_count', $1::uuid)`;
  const text =
    'select n, inet_server_port() as port from member_count where project_id = $1 and profile_type = any($2)';
  const [row] = await runText<{ n: number; port: number }>(db(), text, [projectId, '{Patient}']);
  const isCluster = Boolean(process.env.TEST_SHARED_DATABASE_URL);
  const [node] = isCluster ? await runText<{ placed: number }>(db(), placed, [projectId]) : [{ placed: row!.port }];
  expect(row).toEqual({ n: 0, port: node!.placed });
  expect(await runText(db(), text, [projectId, '{Practitioner}'])).toEqual([]);
  await expect(runText(db(), `${text} and 1 / n = 1`, [projectId, '{Patient}'])).rejects.toThrow('division by zero');
});
