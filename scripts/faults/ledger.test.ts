import { expect, test } from 'vitest';
import { breachesOf, judgeMails } from './ledger.ts';

type Facts = { mailed: boolean; memberships: number; came: number; waits: boolean };

function judgeOne({ mailed, memberships, came, waits }: Facts) {
  const mails = { countOf: () => came, waitsFor: () => waits };
  const verdict = judgeMails([{ key: 'a', acknowledged: true, mailed }], () => memberships, mails);
  const kinds = Object.entries(verdict).flatMap(([kind, keys]) => (keys.length > 0 ? [kind] : []));
  return { kinds, breaches: breachesOf({ mails: verdict }).length };
}

test.each([
  ['came once', { mailed: true, memberships: 1, came: 1, waits: false }, [], 0],
  // Sent, and killed before that was noted: it goes again with the same key.
  ['came, and its job is not done', { mailed: true, memberships: 1, came: 1, waits: true }, [], 0],
  ['waits in the queue', { mailed: true, memberships: 1, came: 0, waits: true }, ['waiting'], 0],
  ['neither came nor waits', { mailed: true, memberships: 1, came: 0, waits: false }, ['lost'], 1],
  ['came twice', { mailed: true, memberships: 1, came: 2, waits: false }, ['doubled'], 1],
  ['was not asked for, and came', { mailed: false, memberships: 1, came: 1, waits: false }, ['doubled'], 1],
  ['was not asked for', { mailed: false, memberships: 1, came: 0, waits: false }, [], 0],
  ['came without a membership', { mailed: true, memberships: 0, came: 1, waits: false }, ['halved'], 1],
  ['belongs to an invite that was not done', { mailed: true, memberships: 0, came: 0, waits: false }, [], 0],
])('a mail that %s', (_, facts, kinds, breaches) => {
  expect(judgeOne(facts)).toEqual({ kinds, breaches });
});
