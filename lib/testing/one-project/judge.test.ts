import { describe, expect, it } from 'vitest';
import { judge } from './judge.ts';

/** Of parameters that are all different, unless `equals` says of which number each is. */
const verdict = (text: string, equals = [0, 1, 2, 3, 4, 5]) => judge({ text, equals });

describe('a statement is one project’s', () => {
  it.each([
    ['with the project as a parameter', 'select 1 from mail m where m.project_id = $1::uuid and m.id = $2'],
    [
      'with the project of another table',
      'select 1 from mail m join resource r on r.project_id = m.project_id where m.project_id = $1',
    ],
    [
      'by a subquery',
      'select exists (select 1 from mail d where d.project_id = k.project_id) from membership_key k where k.project_id = $1',
    ],
    [
      'by a lateral one',
      'select 1 from membership_key k cross join lateral (select 1 from mail m where m.project_id = k.project_id) l where $1 = k.project_id',
    ],
    [
      'by what WITH gives',
      'with o as (select * from membership_key where project_id = $1) select 1 from mail m join o on m.project_id = o.project_id',
    ],
    [
      'by what a change returns',
      'with k as (update membership_key k set name = $2 where k.project_id = $1 returning k.*) insert into mail (id, project_id) select $3, k.project_id from k',
    ],
    [
      'by every branch of a union',
      'with u as (select project_id from mail where project_id = $1 union all select m.project_id from membership_key m where m.project_id = $1) insert into member_count (project_id, n) select project_id, 1 from u',
    ],
    [
      'as rows of values',
      'insert into mail (project_id, id) values ($1, $2), ($1, $3) on conflict (project_id, id) do nothing',
    ],
    ['compared in pairs', 'delete from mail where (project_id, id) = ($1, $2)'],
    [
      'with the constant of the server',
      "select 1 from resource where project_id = '00000000-0000-0000-0000-000000000000'",
    ],
    [
      'in rounds',
      'with recursive w as (select project_id, id from mail where project_id = $1 union all select m.project_id, m.id from w join mail m on m.project_id = w.project_id) select 1 from w',
    ],
    ['when it names none', 'select 1 from user_login u join credential c using (user_id)'],
    ['when it is none', 'begin'],
  ])('%s', (_, text) => {
    expect(verdict(text)).toBeUndefined();
  });

  it('with parameters that always have one value', () => {
    const text = 'select 1 from mail m, resource r where m.project_id = $1 and r.project_id = $3';
    expect(verdict(text, [0, 1, 0])).toBeUndefined();
    expect(verdict(text)).toBe('projects =$1 and =$3');
  });
});

describe('a statement is not one project’s', () => {
  it.each([
    ['without a project', 'select 1 from mail where id = $1', 'mail of any project'],
    [
      'where one of its tables lacks it',
      'select 1 from mail m join resource r on r.id = m.template where m.project_id = $1',
      'resource of any project',
    ],
    [
      'where a subquery lacks it',
      'select 1 from mail m where m.project_id = $1 and exists (select 1 from resource where id = $2)',
      'resource of any project',
    ],
    ['in one branch of OR', 'select 1 from mail where project_id = $1 or id = $2', 'mail of any project'],
    ['with several projects', 'select 1 from mail where project_id in ($1, $2)', 'mail of any project'],
    [
      'compared as the planner sees through',
      'select 1 from mail where project_id is not distinct from $1',
      'mail of any project',
    ],
    ['where the column is cast', 'select 1 from mail where project_id::text = $1', 'mail of any project'],
    [
      'where a union mixes them',
      'with u as (select $1::uuid as p union all select $2) insert into mail (project_id) select p from u',
      'mail of any project',
    ],
    ['with rows of two projects', 'insert into mail (project_id) values ($1), ($2)', 'mail of any project'],
    [
      'with the server’s own beside',
      'select 1 from mail m, resource u where m.project_id = $1 and u.project_id = $2',
      'projects =$1 and =$2',
    ],
    [
      'with a global table',
      'select 1 from membership_key k join credential c on c.user_id = k.membership_id where k.project_id = $1',
      'credential beside membership_key',
    ],
    [
      'with a global table in WITH',
      'with c as (delete from client_secret where project_id = $1) delete from mail where project_id = $1',
      'client_secret beside mail',
    ],
    [
      'with its project elsewhere than in $1, when it inserts with more',
      'insert into mail (id, project_id) select id, $2::uuid from unnest($1::uuid[]) as n(id)',
      'its project is not $1, by which it goes to its node (at-home.ts)',
    ],
  ])('%s', (_, text, said) => {
    expect(verdict(text)).toBe(said);
  });
});
