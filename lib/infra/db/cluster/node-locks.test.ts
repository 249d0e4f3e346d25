import { expect, test } from 'vitest';
import { pendingOf } from '../pending.ts';
import { CALL } from './at-home.ts';
import { lockedFirst } from './node-locks.ts';

/** What a transaction sends, each with whether it asks for the lock at the node. */
async function sentBy(statements: [text: string, params: unknown[]][], fails?: string): Promise<string[]> {
  const sent: string[] = [];
  const locked = new Set<string>();
  const send = (text: string, params: unknown[]) =>
    pendingOf(async () => {
      sent.push(text === CALL ? `call ${params.at(-1)}` : text.replace(/\s.*/, ''));
      if (fails && sent.length === 1) throw new Error(fails);
      if (fails) throw new Error('the transaction is aborted');
      return [];
    });
  for (const [text, params] of statements) await lockedFirst(text, [...params], { send, locked });
  return sent;
}

const CALLED: [string, unknown[]] = [CALL, ['p1', 'insert …', '{}', true, true]];

test.each([
  ['update "login" set "revoked" = $1 where ("login"."project_id" = $2 and "login"."id" = $3)', [true, 'p1', 'l1']],
  ['insert into "mail" ("project_id", "id") values ($1, $2)', ['p1', 'm1']],
  ['delete from membership_key where project_id = $1', ['p1']],
  ['with r as (update resource set version = 2 where project_id = $1 returning id) select id from r', ['p1']],
])('a change of the project has it locked for what is done at the node: %s', async (text, params) => {
  expect(await sentBy([[text, params], CALLED])).toEqual([text.replace(/\s.*/, ''), 'call false']);
});

test.each([
  ['of another project', 'update login set revoked = true where project_id = $1', ['p2']],
  ['that the coordinator keeps to itself', 'delete from user_project where project_id = $1', ['p1']],
  ['that only locks rows', 'select id from resource where project_id = $1 for update', ['p1']],
  [
    'that only locks them below',
    'with k as (select id from login where project_id = $1 for update) select 1 from k',
    ['p1'],
  ],
  [
    'or without their keys',
    'with k as (select id from login where project_id = $1 for no key update) select 1',
    ['p1'],
  ],
  ['whose project is not known', 'insert into mail (id, project_id) values ($1, $2)', ['m1', 'p1']],
])('after none, or one %s, the lock is asked for once', async (_what, text, params) => {
  expect((await sentBy([[text, params], CALLED, CALLED])).slice(1)).toEqual(['select', 'call false', 'call false']);
});

test('a savepoint that is gone back to has given back what was locked since', async () => {
  const back: [string, unknown[]] = ['rollback to savepoint invite', []];
  expect(await sentBy([CALLED, ['release savepoint invite', []], CALLED, back, CALLED])).toEqual([
    'select',
    'call false',
    'release',
    'call false',
    'rollback',
    'select',
    'call false',
  ]);
});

test('what the lock failed of is what is told', async () => {
  await expect(sentBy([CALLED], 'the node is away')).rejects.toThrow('the node is away');
});
