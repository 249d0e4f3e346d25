import { expect, test } from 'vitest';
import { CALL } from './at-home.ts';
import { lockingOnce } from './node-locks.ts';

const call = (locked: Set<string>) => lockingOnce(CALL, ['p1', 'insert …', '{}', true, true], locked).at(-1);

test.each([
  ['update "login" set "revoked" = $1 where ("login"."project_id" = $2 and "login"."id" = $3)', [true, 'p1', 'l1']],
  ['insert into "mail" ("project_id", "id") values ($1, $2)', ['p1', 'm1']],
  ['delete from membership_key where project_id = $1', ['p1']],
  ['with r as (update resource set version = 2 where project_id = $1 returning id) select id from r', ['p1']],
])('what is done at the node after a change of its project needs no lock of its own: %s', (text, params) => {
  const locked = new Set<string>();
  expect(call(locked)).toBe(true);
  expect(lockingOnce<unknown>(text, params, locked)).toEqual(params);
  expect(call(locked)).toBe(false);
});

test.each([
  ['of another project', 'update login set revoked = true where project_id = $1', ['p2']],
  ['that the coordinator keeps to itself', 'delete from user_project where project_id = $1', ['p1']],
  ['that only locks rows', 'select id from resource where project_id = $1 for update', ['p1']],
  ['whose project is not known', 'insert into mail (id, project_id) values ($1, $2)', ['m1', 'p1']],
])('and after none, or one %s, it does', (_what, text, params) => {
  const locked = new Set<string>();
  lockingOnce(text, params, locked);
  expect(call(locked)).toBe(true);
});

test('a savepoint that is gone back to has given back what was locked since', () => {
  const locked = new Set(['p1']);
  lockingOnce('release savepoint invite', [], locked);
  expect(call(locked)).toBe(false);
  lockingOnce('rollback to savepoint invite', [], locked);
  expect(call(locked)).toBe(true);
});
